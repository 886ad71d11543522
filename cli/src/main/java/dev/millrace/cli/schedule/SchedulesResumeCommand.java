package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace schedules resume}: resumes a schedule. */
@Command(name = "resume", description = "Resume a schedule, which acts for you from then on.")
public final class SchedulesResumeCommand extends ScheduleCommand {
    public SchedulesResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.post(SCHEDULES.then(":resume"), named()), "Resumed the schedule " + path() + ".");
        return ExitCode.OK;
    }
}
