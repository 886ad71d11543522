package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs pause}: pauses a run. */
@Command(name = "pause", description = "Pause a run: what runs finishes, nothing more begins.")
public final class RunsPauseCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsPauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":pause"), note.body());
        if (wantsJson()) {
            printJson(run);
        } else {
            print("Run " + runId + " is paused: what runs finishes, nothing more begins.");
        }
        return ExitCode.OK;
    }
}
