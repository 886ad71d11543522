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

/** {@code millrace runs pinned}: the runs that stay. */
@Command(name = "pinned", description = "List pinned runs: who pinned them, when and why.")
public final class RunsPinnedCommand extends ClientCommand {
    private static final int RUNS_MAX = 10_000;

    public RunsPinnedCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("ID<", "PINNED?", "WHO", "WHY");
        printList(
                client.list(ApiPath.of("/pinned-runs"), RUNS_MAX),
                "No run is pinned.",
                table,
                pinned -> table.row(
                        Json.text(pinned, "run_id"),
                        Times.text(Json.text(pinned, "pin_time")),
                        Json.text(pinned, "actor"),
                        Json.text(pinned, "reason")));
        return ExitCode.OK;
    }
}
