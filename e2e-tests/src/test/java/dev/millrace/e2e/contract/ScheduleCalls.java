package dev.millrace.e2e.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

/** Calls each operation about schedules. */
final class ScheduleCalls {
    private static final String PATH = "every/nightly";
    private static final Map<String, String> NAMED = Map.of("path", PATH);

    private ScheduleCalls() {}

    static void callAll(Calls calls) {
        calls.ok(
                "putSchedule",
                PATH,
                Map.of(
                        "run",
                        Map.of("target", Map.of("script", "every/echo.py"), "input", Map.of("value", 1)),
                        "cron",
                        List.of("30 2 * * *"),
                        "zone",
                        "Europe/Berlin",
                        "exclude",
                        List.of("12-25"),
                        "overlap",
                        "buffer_one"));
        assertThat(calls.ok("listSchedules").path("items")).hasSize(1);
        assertThat(calls.ok("getSchedule", PATH).has("next_time")).isTrue();
        assertThat(calls.ok("listScheduleTimes", PATH, null, "?count=3").path("items"))
                .hasSize(3);
        calls.ok("pauseSchedule", "", NAMED);
        calls.ok("resumeSchedule", "", NAMED);
        assertThat(calls.ok("listScheduleVersions", PATH).path("items")).hasSize(3);
        assertThat(calls.ok("triggerSchedule", "", NAMED).path("state").asText())
                .isEqualTo("started");
        calls.ok(
                "backfillSchedule",
                "",
                Map.of("path", PATH, "from", "2026-03-28T00:00:00Z", "to", "2026-03-30T00:00:00Z", "parallel", 2));
        assertThat(calls.ok("listBackfills", PATH).path("items")).hasSize(1);
        assertThat(calls.ok("listScheduleHistory", PATH).path("items")).isNotEmpty();
        calls.ok("deleteSchedule", PATH);
    }
}
