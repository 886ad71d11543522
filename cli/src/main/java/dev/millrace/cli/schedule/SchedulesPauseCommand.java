package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace schedules pause}: pauses a schedule. */
@Command(name = "pause", description = "Pause a schedule: it starts nothing until it is resumed.")
public final class SchedulesPauseCommand extends ScheduleCommand {
    public SchedulesPauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(
                client.post(SCHEDULES.then(":pause"), named()),
                "Paused the schedule " + path() + ". Times until it is resumed are not caught up.");
        return ExitCode.OK;
    }
}
