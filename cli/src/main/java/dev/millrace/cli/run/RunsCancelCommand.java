package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs cancel}: ends a run. */
@Command(name = "cancel", description = "Cancel a run: waiting jobs are dropped, running ones are stopped.")
public final class RunsCancelCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsCancelCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":cancel"), note.body());
        if (wantsJson()) {
            printJson(run);
        } else {
            print("Run " + runId + " is " + Run.of(run).state().word() + ".");
        }
        return ExitCode.OK;
    }
}
