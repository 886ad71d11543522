package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules history}: shows what a schedule has started. */
@Command(name = "history", description = "Show what a schedule has started and what not, newest first.")
public final class SchedulesHistoryCommand extends ScheduleCommand {
    @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "Show at most so many.")
    private int limit;

    public SchedulesHistoryCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("WHAT!", "STATE", "NOTED", "RUN", "WHY?");
        printList(
                client.list(ApiPath.of("/schedule-history").child(path()), limit),
                "The schedule has started nothing yet.",
                table,
                start -> table.row(
                        Json.text(start, "occurrence"),
                        Json.text(start, "state"),
                        Times.text(Json.text(start, "note_time")),
                        Json.text(start, "run_id"),
                        Json.text(start, "reason")));
        return ExitCode.OK;
    }
}
