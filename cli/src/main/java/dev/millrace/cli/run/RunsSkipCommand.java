package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs skip}: skips a step. */
@Command(name = "skip", description = "End a step that waits or runs as skipped, with a given result.")
public final class RunsSkipCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Key of the step, for example 'count[3].tokenize'.")
    private String step = "";

    @Option(names = "--result", paramLabel = "JSON", defaultValue = "null", description = "What the step results in.")
    private String result = "null";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsSkipCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = note.body();
        body.put("step", step);
        body.set(
                "result",
                Json.parse(result)
                        .orElseThrow(() -> new CommandFailure(
                                ExitCode.USAGE, "The result is not JSON. Write text like: --result '\"text\"'")));
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":skip"), body);
        if (wantsJson()) {
            printJson(run);
        } else {
            print("Step " + step + " of run " + runId + " is skipped.");
        }
        return ExitCode.OK;
    }
}
