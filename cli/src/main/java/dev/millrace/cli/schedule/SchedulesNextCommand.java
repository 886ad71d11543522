package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.run.MomentConverter;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules next}: shows when a schedule ticks next. */
@Command(name = "next", description = "Show the next times of a schedule in its zone; -o json shows them in UTC.")
public final class SchedulesNextCommand extends ScheduleCommand {
    private static final int COUNT_MAX = 1_000;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of times, 1 to " + COUNT_MAX + " (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--after",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Times after this one; " + MomentConverter.FORMS + ".")
    private @Nullable String after;

    public SchedulesNextCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (count < 1 || count > COUNT_MAX) {
            throw new CommandFailure(ExitCode.USAGE, "--count: " + count + " (expected: 1 to " + COUNT_MAX + ")");
        }
        Table table = new Table("NEXT");
        ApiPath times = ApiPath.of("/schedule-times").child(path()).with("count", String.valueOf(count));
        List<JsonNode> found = new ArrayList<>();
        client.get(times.withIfGiven("after", after)).path("items").forEach(found::add);
        ZoneId zone = wantsJson() || found.isEmpty()
                ? ZoneOffset.UTC
                : ScheduleText.zone(client.get(SCHEDULES.child(path())));
        printList(
                found,
                "The schedule has no further times.",
                table,
                time -> table.row(Json.instant(time, "occur_time")
                        .map(next -> ScheduleText.time(next, zone))
                        .orElse("")));
        return ExitCode.OK;
    }
}
