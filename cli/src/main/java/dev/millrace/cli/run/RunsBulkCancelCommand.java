package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs bulk cancel}: cancels an operation on many runs. */
@Command(
        name = "cancel",
        description = "Cancel an operation on many runs; runs that it has not reached stay as they are.")
public final class RunsBulkCancelCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the operation.")
    private String id = "";

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsBulkCancelCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode bulk = client.post(BulkProgress.path(id).then(":cancel"), note.body());
        List<JsonNode> failures = new BulkProgress(client, terminal()).failures(bulk);
        if (wantsJson()) {
            printJson(BulkProgress.json(bulk, failures));
        } else {
            print(BulkProgress.line(bulk));
            BulkProgress.lines(failures, terminal()).forEach(this::print);
        }
        return ExitCode.OK;
    }
}
