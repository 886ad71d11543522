package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules create}: creates or replaces a schedule. */
@Command(name = "create", description = "Create or replace a schedule.")
public final class SchedulesCreateCommand extends ScheduleCommand {
    @Option(names = "--flow", paramLabel = "PATH", description = "Flow to run.")
    private @Nullable String flow;

    @Option(names = "--script", paramLabel = "PATH", description = "Script to run.")
    private @Nullable String script;

    @Option(names = "--handler", paramLabel = "NAME", description = "Handler to run.")
    private @Nullable String handler;

    @Option(names = "--every", paramLabel = "DURATION", description = "Interval, such as 15m.")
    private @Nullable String every;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "IANA zone of the expressions, such as Europe/Berlin; UTC if not given.")
    private @Nullable String zone;

    @Option(names = "--start", paramLabel = "TIME", description = "No runs before; RFC 3339.")
    private @Nullable String start;

    @Option(names = "--end", paramLabel = "TIME", description = "No runs after; RFC 3339.")
    private @Nullable String end;

    @Option(
            names = "--overlap",
            paramLabel = "POLICY",
            description =
                    "What to do while an earlier run has not ended: skip (as without this option), buffer_one, buffer_all, cancel_running, allow.")
    private @Nullable String overlap;

    @Option(
            names = "--catch-up",
            paramLabel = "DURATION",
            description = "How late a run may start, such as 10m; 1h if not given.")
    private @Nullable String catchUp;

    @Option(names = "--jitter", paramLabel = "DURATION", description = "Start each run up to so much later.")
    private @Nullable String jitter;

    @Option(names = "--time-input", paramLabel = "NAME", description = "Parameter that gets the time of the tick.")
    private @Nullable String timeInput;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the schedule is for.")
    private @Nullable String description;

    @Option(
            names = "--cron",
            paramLabel = "EXPRESSION",
            description = "Cron expression, such as '30 2 * * *'; repeatable.")
    private List<String> cron = List.of();

    @Option(
            names = "--exclude",
            paramLabel = "WHEN",
            description =
                    "A day (2026-12-25, or 12-25 for each year), days (2026-12-24..2027-01-02) or a cron expression; repeatable.")
    private List<String> exclude = List.of();

    @Option(names = "--input", paramLabel = "JSON", description = "Input of the runs.")
    private @Nullable String input;

    public SchedulesCreateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (Stream.of(flow, script, handler)
                        .filter(target -> target != null && !target.isBlank())
                        .count()
                != 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "A schedule runs one thing: give --flow, --script or --handler, and only one of them.");
        }
        if (cron.isEmpty() && every == null) {
            throw new CommandFailure(ExitCode.USAGE, "A schedule needs times: give --cron, --every or both.");
        }
        ObjectNode schedule = Json.object();
        put(schedule, "flow", flow);
        put(schedule, "script", script);
        put(schedule, "handler", handler);
        put(schedule, "every", every);
        put(schedule, "zone", zone);
        put(schedule, "start", start);
        put(schedule, "end", end);
        put(schedule, "overlap", overlap);
        put(schedule, "catch_up", catchUp);
        put(schedule, "jitter", jitter);
        put(schedule, "time_input", timeInput);
        put(schedule, "description", description);
        if (!cron.isEmpty()) {
            cron.forEach(schedule.putArray("cron")::add);
        }
        if (!exclude.isEmpty()) {
            exclude.forEach(schedule.putArray("exclude")::add);
        }
        if (input != null) {
            schedule.set(
                    "input",
                    Json.parse(input)
                            .orElseThrow(() -> new CommandFailure(
                                    ExitCode.INVALID,
                                    "The value of --input is not valid JSON. Quote it, such as '{\"a\": 1}'.")));
        }
        JsonNode written = client.put(SCHEDULES.child(path()), ScheduleFile.body(schedule));
        printResult(written, applied(written));
        return ExitCode.OK;
    }

    private static void put(ObjectNode schedule, String field, @Nullable String value) {
        if (value != null) {
            schedule.put(field, value);
        }
    }
}
