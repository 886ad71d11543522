package dev.millrace.cli.schedule;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules get}: shows a schedule. */
@Command(name = "get", description = "Show a schedule: what it starts, when, and for whom it acts.")
public final class SchedulesGetCommand extends ScheduleCommand {
    @Option(
            names = "--at-version",
            paramLabel = "N",
            description = "Show it as it was in this version, of the last 100.")
    private @Nullable Long version;

    public SchedulesGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printFacts(client.get(
                SCHEDULES.child(path()).withIfGiven("version", version == null ? null : version.toString())));
        return ExitCode.OK;
    }
}
