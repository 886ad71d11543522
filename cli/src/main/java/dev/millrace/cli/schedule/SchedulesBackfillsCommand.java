package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace schedules backfills}: shows the backfills of a schedule. */
@Command(name = "backfills", description = "Show the backfills of a schedule, newest first.")
public final class SchedulesBackfillsCommand extends ScheduleCommand {
    public SchedulesBackfillsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("FROM", "TO", "STARTED", "TOTAL", "ENDED?", "WHO?");
        printList(
                client.all(ApiPath.of("/schedule-backfills").child(path())),
                "The schedule has no backfill.",
                table,
                backfill -> table.row(
                        Json.text(backfill, "from"),
                        Json.text(backfill, "to"),
                        Json.text(backfill, "started"),
                        Json.text(backfill, "total"),
                        Times.text(Json.text(backfill, "end_time")),
                        Json.text(backfill, "actor")));
        return ExitCode.OK;
    }
}
