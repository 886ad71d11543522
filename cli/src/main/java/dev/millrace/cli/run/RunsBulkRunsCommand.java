package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs bulk runs}: lists what an operation on many runs did, run by run. */
@Command(name = "runs", description = "List what an operation on many runs did, run by run, ordered by id.")
public final class RunsBulkRunsCommand extends ClientCommand {
    private static final int LIMIT_DEFAULT = 100;

    @Parameters(paramLabel = "ID", description = "Id of the operation.")
    private String id = "";

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "STATE",
            description = "Only runs in these states: waiting, done, failed, left_out.")
    private List<String> states = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of runs (default: ${DEFAULT-VALUE}).")
    private int limit = LIMIT_DEFAULT;

    public RunsBulkRunsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath path = BulkProgress.path(id).then("/runs");
        for (String state : states) {
            path = path.with("state", state);
        }
        Table table = new Table("RUN<", "STATE", "NEW RUN<", "WHY NOT!");
        printList(
                client.list(path, Math.max(1, limit)),
                "The operation has no such runs.",
                table,
                run -> table.row(
                        Json.text(run, "run_id"),
                        Json.text(run, "state"),
                        Json.text(run, "new_run_id"),
                        Json.text(run.path("error"), "message")));
        return ExitCode.OK;
    }
}
