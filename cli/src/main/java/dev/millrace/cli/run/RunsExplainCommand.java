package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs explain}: shows what each step of a run waits for. */
@Command(name = "explain", description = "Say what each step of a run does or waits for.")
public final class RunsExplainCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    public RunsExplainCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        JsonNode explained = client.get(ApiPath.of("/runs").child(runId).then("/explanation"));
        if (wantsJson()) {
            printJson(explained);
            return ExitCode.OK;
        }
        StepKeys keys = new StepKeys(client, runId);
        print(Times.inText(Json.text(explained, "summary")));
        for (JsonNode step : explained.path("steps")) {
            String key = keys.shown(Json.text(step, "step"));
            print((key.isEmpty() ? "" : key + ": ") + Times.inText(Json.text(step, "text")));
        }
        int leftOut = explained.path("steps_left_out").asInt();
        if (leftOut > 0) {
            print("And " + leftOut + " further steps.");
        }
        return ExitCode.OK;
    }
}
