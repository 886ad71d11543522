package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs bulk get}: shows the progress of an operation on many runs. */
@Command(name = "get", description = "Show the progress of an operation on many runs, and which runs rejected it.")
public final class RunsBulkGetCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the operation.")
    private String id = "";

    public RunsBulkGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode bulk = client.get(BulkProgress.path(id));
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
