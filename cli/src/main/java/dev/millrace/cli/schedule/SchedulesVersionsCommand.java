package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace schedules versions}: shows the changes of a schedule. */
@Command(name = "versions", description = "Show who has changed a schedule, newest change first.")
public final class SchedulesVersionsCommand extends ScheduleCommand {
    public SchedulesVersionsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("VERSION", "CHANGE", "WHO!", "WHEN");
        printList(
                client.all(ApiPath.of("/schedule-versions").child(path())),
                "The schedule has no versions.",
                table,
                version -> table.row(
                        Json.text(version, "version"),
                        Json.text(version, "change"),
                        Json.text(version, "actor"),
                        Times.text(Json.text(version, "change_time"))));
        return ExitCode.OK;
    }
}
