package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace runs bulk list}: lists the newest operations on many runs. */
@Command(name = "list", description = "List operations on many runs, newest first.")
public final class RunsBulkListCommand extends ClientCommand {
    private static final int LIMIT_DEFAULT = 20;

    @Option(names = "--limit", paramLabel = "N", description = "Most operations to list (default: ${DEFAULT-VALUE}).")
    private int limit = LIMIT_DEFAULT;

    public RunsBulkListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("ID!", "OPERATION", "STATE", "RUNS>?", "DONE>?", "FAILED>?", "CREATED?", "WHO?");
        printList(
                client.list(ApiPath.of("/bulk-operations"), Math.max(1, limit)),
                "There are no operations on many runs yet.",
                table,
                bulk -> table.row(
                        Json.text(bulk, "id"),
                        Json.text(bulk, "operation"),
                        Json.text(bulk, "state"),
                        Json.text(bulk, "total"),
                        Json.text(bulk, "done"),
                        Json.text(bulk, "failed"),
                        Json.instant(bulk, "create_time").map(Times::text).orElse(""),
                        Json.text(bulk, "actor")));
        return ExitCode.OK;
    }
}
