package dev.millrace.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CliRunner.Outcome;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleCommandsTest {
    private static final String BERLIN = "{\"path\":\"shop/nightly\",\"zone\":\"Europe/Berlin\",\"every\":\"3600s\","
            + "\"run\":{\"target\":{\"flow\":\"shop/report\"}},\"next_time\":\"2026-07-01T00:00:00Z\"}";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @ParameterizedTest
    @CsvSource({
        "path, PATH",
        "cron[0], --cron",
        "every, --every",
        "zone, --zone",
        "exclude[2], --exclude",
        "start, --start",
        "end, --end",
        "overlap, --overlap",
        "catch_up, --catch-up",
        "jitter, --jitter",
        "time_input, --time-input",
        "description, --description",
        "run.input, --input",
        "run.input.zone, --input",
        "run.target.flow, --flow",
        "run.target.script, --script",
        "run.target.handler, --handler",
        "run.retry.delay, run.retry.delay"
    })
    void callsFieldsAsTheirOptions(String field, String option) {
        gateway.on("PUT /schedules/shop/nightly", 400, problem(field));

        Outcome outcome = run("create", "shop/nightly", "--flow=shop/report", "--every=1h");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(outcome.errors()).isEqualTo("The request is invalid: " + option + ": x (expected: y)\n");
    }

    @ParameterizedTest
    @CsvSource({"from, --from", "to, --to", "parallel, --parallel", "path, PATH"})
    void callsFieldsOfARangeAsTheirOptions(String field, String option) {
        gateway.on("POST /schedules:backfill", 400, problem(field));

        Outcome outcome = run(
                "backfill", "shop/nightly", "--from=2026-03-01T00:00:00Z", "--to=2026-03-02T00:00:00Z", "--parallel=7");

        assertThat(outcome.errors()).isEqualTo("The request is invalid: " + option + ": x (expected: y)\n");
    }

    @Test
    void callsTheSizeOfAPageTheLimit() {
        gateway.on("GET /schedule-history/shop/nightly", 400, problem("page_size"));

        assertThat(run("history", "shop/nightly").errors())
                .isEqualTo("The request is invalid: --limit: x (expected: y)\n");
    }

    /** What the gateway says without a colon is not said twice. */
    @Test
    void saysOnceWhatIsWrong() {
        gateway.on(
                "PUT /schedules/shop/nightly",
                400,
                "{\"detail\":\"The request is invalid: jitter is \\\"5\\\"\","
                        + "\"errors\":[{\"field\":\"jitter\",\"message\":\"is \\\"5\\\"\"}]}");

        assertThat(run("create", "shop/nightly", "--flow=f", "--every=1h").errors())
                .isEqualTo("The request is invalid: --jitter is \"5\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--every=1h", "--flow=f --script=g --every=1h", "--flow= --every=1h", "--flow=f"})
    void asksForOneTargetAndForTimes(String options) {
        Outcome outcome = run(Stream.concat(Stream.of("create", "a"), Arrays.stream(options.split(" ", -1)))
                .toArray(String[]::new));

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors())
                .startsWith("A schedule ")
                .contains("give --")
                .hasLineCount(1);
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void appliesTheOtherSchedulesOfAFileAndNamesThoseThatAreWrong(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("schedules.yaml");
        Files.writeString(file, """
                schedules:
                  - {path: shop/wrong, flow: shop/report, cron: '61 * * * *', input: {day: 1}}
                  - {path: shop/nightly, flow: shop/report, every: 1h}
                  - {path: shop/gone, flow: shop/gone, every: 1h}
                """);
        gateway.on(
                "PUT /schedules/shop/wrong",
                400,
                "{\"detail\":\"The request is invalid: cron[0]: x; run.input: z\",\"errors\":["
                        + "{\"field\":\"cron[0]\",\"message\":\"x\"},{\"field\":\"run.input\",\"message\":\"z\"},"
                        + "{\"field\":\"jitter\",\"message\":\"y\"}]}");
        gateway.on("PUT /schedules/shop/nightly", 200, BERLIN);
        gateway.on("PUT /schedules/shop/gone", 404, "{\"detail\":\"There is no flow shop/gone: deploy it first.\"}");

        Outcome outcome = run("apply", file.toString());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(outcome.output()).startsWith("Wrote the schedule shop/nightly ");
        assertThat(outcome.errors())
                .isEqualTo(file + ": schedule \"shop/wrong\": The request is invalid: cron: x; input: z\n  jitter: y\n"
                        + file + ": schedule \"shop/gone\": There is no flow shop/gone: deploy it first.\n"
                        + "2 of 3 schedules were not applied.\n");
    }

    @Test
    void appliesNothingIfAScheduleHasNoPath(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("schedules.yaml");
        Files.writeString(file, "schedules: [{path: a, flow: f, every: 1h}, {flow: f, every: 1h}]\n");

        Outcome outcome = run("apply", file.toString());

        assertThat(outcome.errors()).startsWith(file + ": schedules[1] has no `path`.");
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void showsNextTimesOnTheClockOfTheZone() {
        gateway.on("GET /schedules/shop/nightly", 200, BERLIN);
        gateway.on(
                "GET /schedule-times/shop/nightly",
                200,
                "{\"items\":[{\"occur_time\":\"2026-03-28T01:30:00Z\"},{\"occur_time\":\"2026-03-30T00:30:00Z\"}]}");

        assertThat(run("next", "shop/nightly").output())
                .contains("2026-03-28 02:30:00+01:00", "2026-03-30 02:30:00+02:00");
        assertThat(run("next", "shop/nightly", "-o", "json").output()).contains("\"2026-03-28T01:30:00Z\"");
    }

    @Test
    void refusesToShowNoTimes() {
        Outcome outcome = run("next", "shop/nightly", "-n", "0");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).isEqualTo("--count: 0 (expected: 1 to 1000)\n");
    }

    @Test
    void showsAScheduleAsText() {
        gateway.on("GET /schedules/shop/nightly", 200, BERLIN);

        assertThat(run("get", "shop/nightly").output().lines()).anyMatch(line -> line.matches("zone +Europe/Berlin"));
        assertThat(run("get", "shop/nightly", "-o", "json").output()).startsWith("{\n");
    }

    @Test
    void listsIntervalsAsPeopleWriteThem() {
        gateway.on("GET /schedules", 200, "{\"items\":[" + BERLIN + "]}");

        assertThat(run("list").output()).contains("every 1h (Europe/Berlin)", "2026-07-01 02:00:00+02:00");
    }

    private Outcome run(String... arguments) {
        return CliRunner.run(
                Stream.of(Stream.of("schedules"), Arrays.stream(arguments), Stream.of("--server=" + gateway.url()))
                        .flatMap(parts -> parts)
                        .toArray(String[]::new));
    }

    private static String problem(String field) {
        return "{\"detail\":\"The request is invalid: " + field + ": x (expected: y)\",\"errors\":[{\"field\":\""
                + field + "\",\"message\":\"x (expected: y)\"}]}";
    }
}
