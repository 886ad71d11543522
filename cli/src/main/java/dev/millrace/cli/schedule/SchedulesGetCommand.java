package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace schedules get}: shows a schedule. */
@Command(name = "get", description = "Show a schedule: what it starts, when, and for whom it acts.")
public final class SchedulesGetCommand extends ScheduleCommand {
    public SchedulesGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printJson(client.get(SCHEDULES.child(path())));
        return ExitCode.OK;
    }
}
