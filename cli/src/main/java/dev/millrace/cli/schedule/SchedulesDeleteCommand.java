package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace schedules delete}: deletes a schedule. */
@Command(name = "delete", description = "Delete a schedule with its history; runs that it has started go on.")
public final class SchedulesDeleteCommand extends ScheduleCommand {
    public SchedulesDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.delete(SCHEDULES.child(path())), "Deleted the schedule " + path() + ".");
        return ExitCode.OK;
    }
}
