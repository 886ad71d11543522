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

/** {@code millrace runs resume}: ends a pause. */
@Command(name = "resume", description = "Let a paused run go on.")
public final class RunsResumeCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":resume"), note.body());
        if (wantsJson()) {
            printJson(run);
        } else {
            print("Run " + runId + " goes on.");
        }
        return ExitCode.OK;
    }
}
