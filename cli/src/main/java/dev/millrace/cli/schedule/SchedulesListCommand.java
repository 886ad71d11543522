package dev.millrace.cli.schedule;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace schedules list}: lists schedules. */
@Command(name = "list", description = "List the schedules of the workspace.")
public final class SchedulesListCommand extends ClientCommand {
    private static final int SCHEDULES_MAX = 200_000;

    public SchedulesListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH!", "RUNS", "WHEN", "NEXT?", "STATE?");
        printList(
                client.list(ScheduleCommand.SCHEDULES, SCHEDULES_MAX),
                "There is no schedule. Create one with: " + Launcher.NAME
                        + " schedules create PATH --flow FLOW --cron '0 2 * * *'",
                table,
                schedule -> table.row(
                        Json.text(schedule, "path"),
                        ScheduleText.target(schedule),
                        ScheduleText.timing(schedule),
                        ScheduleText.next(schedule),
                        ScheduleText.state(schedule)));
        return ExitCode.OK;
    }
}
