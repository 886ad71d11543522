package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs retry}: does again what failed. */
@Command(
        name = "retry",
        description = "Put a failed or cancelled run back: what failed is done again, what succeeded stays.")
public final class RunsRetryCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsRetryCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = note.body();
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":retry"), body);
        if (wantsJson()) {
            printJson(run);
        } else {
            print("Run " + runId + " goes on from what failed.");
        }
        return ExitCode.OK;
    }
}
