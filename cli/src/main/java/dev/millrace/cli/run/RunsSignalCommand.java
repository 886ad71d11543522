package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs signal}: sends a signal to a run. */
@Command(name = "signal", description = "Send a signal to a run, which keeps it until a step waits for it.")
public final class RunsSignalCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the signal.")
    private String name = "";

    @Mixin
    private WaitAnswer answer = new WaitAnswer();

    public RunsSignalCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        JsonNode sent = client.post(
                ApiPath.of("/runs").child(runId).then(":signal"),
                answer.body().put("name", name),
                UUID.randomUUID().toString());
        String step = Json.text(sent, "step");
        if (wantsJson()) {
            printJson(sent);
        } else {
            print(
                    step.isEmpty()
                            ? "The run keeps the signal until a step waits for it."
                            : "Step " + step + " received the signal.");
        }
        return ExitCode.OK;
    }
}
