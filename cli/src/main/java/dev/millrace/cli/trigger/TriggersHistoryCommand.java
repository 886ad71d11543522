package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace triggers history}: lists what a trigger has started and what it has refused. */
@Command(name = "history", description = "List what a trigger has started and what it has refused, the newest first.")
public final class TriggersHistoryCommand extends NamedTrigger {
    @Option(names = "--limit", paramLabel = "N", description = "Number of entries (default: ${DEFAULT-VALUE}).")
    private int limit = 20;

    public TriggersHistoryCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("TIME", "STATE", "RUN!", "OCCURRENCE?", "REASON?");
        printList(
                client.list(ApiPath.of("/trigger-events").child(kind().text()).child(path()), limit),
                "Nothing has happened yet to " + named() + ".",
                table,
                event -> table.row(
                        Times.text(Json.text(event, "time")),
                        Json.text(event, "state"),
                        Json.text(event, "run_id"),
                        Json.text(event, "occurrence"),
                        Json.text(event, "reason")));
        return ExitCode.OK;
    }
}
