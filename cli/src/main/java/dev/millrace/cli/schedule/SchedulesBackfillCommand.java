package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.run.MomentConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules backfill}: starts the runs of a range. */
@Command(name = "backfill", description = "Start the runs of all times of a schedule in a range.")
public final class SchedulesBackfillCommand extends ScheduleCommand {
    @Option(
            names = "--from",
            paramLabel = "TIME",
            required = true,
            converter = MomentConverter.class,
            description = "First time of the range; " + MomentConverter.FORMS + ".")
    private String from = "";

    @Option(
            names = "--to",
            paramLabel = "TIME",
            required = true,
            converter = MomentConverter.class,
            description = "Last time of the range; " + MomentConverter.FORMS + ".")
    private String to = "";

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "1",
            description = "Most runs in progress at a time, 1 to 100 (default: 1).")
    private int parallel;

    public SchedulesBackfillCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode backfill = client.post(
                SCHEDULES.then(":backfill"),
                named().put("from", from).put("to", to).put("parallel", parallel));
        printResult(
                backfill,
                "Accepted " + Json.text(backfill, "total") + " runs, at most " + parallel
                        + " at a time. See how far they are with: " + Launcher.NAME + " schedules backfills " + path());
        return ExitCode.OK;
    }
}
