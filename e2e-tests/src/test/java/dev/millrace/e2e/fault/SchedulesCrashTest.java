package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Schedules that tick every second, while schedulers are killed: one of two, and then both. Each second has one run in the
 * end, those included in which nobody was there.
 */
@Tag("nightly")
final class SchedulesCrashTest {
    private static final int SCHEDULES = 10;
    private static final int ROUNDS = Integer.getInteger("millrace.test.rounds", 2);
    private static final int TICKS_A_ROUND = 3;

    @Test
    void eachTickStartsOneRun() {
        try (Installation installation = Installation.start(
                "schedules", FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers())) {
            Api api = installation.api();
            for (int number = 0; number < SCHEDULES; number++) {
                api.put(
                                "/api/v1/schedules/" + path(number),
                                Map.of(
                                        "run", Map.of("target", Map.of("handler", "tick-" + number)),
                                        "every", "1s",
                                        "overlap", "allow",
                                        "time_input", "at"))
                        .ok();
            }
            for (int round = 0; round < ROUNDS; round++) {
                awaitMoreTicks(api);
                installation.cluster().scheduler(1).kill();
                awaitMoreTicks(api);
                installation.cluster().scheduler(0).kill();
                installation.cluster().scheduler(0).start();
                installation.cluster().scheduler(1).start();
                api.awaitReady();
            }
            awaitMoreTicks(api);
            for (int number = 0; number < SCHEDULES; number++) {
                api.post("/api/v1/schedules:pause", Map.of("path", path(number)))
                        .ok();
            }

            Set<String> runs = new HashSet<>();
            for (int number = 0; number < SCHEDULES; number++) {
                runs.addAll(assertEachSecondHasOneRun(api, number));
            }
            assertThat(runs).as("runs of all schedules").hasSize(countRuns(api));
        }
    }

    /** Each tick cancels the run of the tick before, whichever scheduler dies between the cancellation and the start. */
    @Test
    void atMostOneRunIsAliveIfTicksCancelTheRunning() {
        try (Installation installation = Installation.start(
                "schedules-cancel", FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers())) {
            Api api = installation.api();
            for (int number = 0; number < SCHEDULES; number++) {
                api.put(
                                "/api/v1/schedules/" + path(number),
                                Map.of(
                                        "run", Map.of("target", Map.of("handler", "tick-" + number)),
                                        "every", "1s",
                                        "overlap", "cancel_running"))
                        .ok();
            }
            for (int round = 0; round < ROUNDS; round++) {
                awaitMoreTicksWithOneRun(api);
                installation.cluster().scheduler(1).kill();
                awaitMoreTicksWithOneRun(api);
                installation.cluster().scheduler(0).kill();
                installation.cluster().scheduler(0).start();
                installation.cluster().scheduler(1).start();
                api.awaitReady();
            }
            awaitMoreTicksWithOneRun(api);
            for (int number = 0; number < SCHEDULES; number++) {
                api.post("/api/v1/schedules:pause", Map.of("path", path(number)))
                        .ok();
            }

            Set<String> started = new HashSet<>();
            for (int number = 0; number < SCHEDULES; number++) {
                started.addAll(assertEachSecondIsAccountedFor(api, number));
            }
            List<JsonNode> runs = pages(api, "/api/v1/runs");
            assertThat(runs).extracting(run -> run.path("id").asText()).containsExactlyInAnyOrderElementsOf(started);
            assertThat(runs).filteredOn(SchedulesCrashTest::isAlive).hasSize(SCHEDULES);
            assertThat(runs)
                    .filteredOn(run -> !isAlive(run))
                    .allMatch(run -> run.path("state").asText().equals("canceled"));
            assertOneRunEach(api);
        }
    }

    private static void awaitMoreTicksWithOneRun(Api api) {
        int before = started(api, 0).size();
        Await.until("more ticks have started runs", Api.PATIENCE, () -> {
            assertOneRunEach(api);
            return started(api, 0).size() >= before + TICKS_A_ROUND;
        });
    }

    private static void assertOneRunEach(Api api) {
        List<String> alive = pages(api, "/api/v1/runs").stream()
                .filter(SchedulesCrashTest::isAlive)
                .map(run -> run.path("name").asText())
                .toList();
        assertThat(alive).as("runs that are alive").doesNotHaveDuplicates();
    }

    private static boolean isAlive(JsonNode run) {
        return !Set.of("succeeded", "failed", "canceled")
                .contains(run.path("state").asText());
    }

    /** A tick has started a run, or was skipped since a later one was due, too. Returns the ids of the runs. */
    private static Set<String> assertEachSecondIsAccountedFor(Api api, int number) {
        awaitNothingClaimed(api, number);
        List<JsonNode> history = history(api, number);
        assertThat(history).allMatch(start -> isIn(start, "started") || isIn(start, "skipped"));
        return assertEachSecondIsThere(history, number);
    }

    private static String path(int number) {
        return "crash/tick-" + number;
    }

    private static void awaitMoreTicks(Api api) {
        int before = started(api, 0).size();
        Await.until(
                "more ticks have started runs",
                Api.PATIENCE,
                () -> started(api, 0).size() >= before + TICKS_A_ROUND);
    }

    /** Returns the ids of the runs. */
    private static Set<String> assertEachSecondHasOneRun(Api api, int number) {
        awaitNothingClaimed(api, number);
        List<JsonNode> history = history(api, number);
        assertThat(history).allMatch(start -> isIn(start, "started"));
        return assertEachSecondIsThere(history, number);
    }

    private static void awaitNothingClaimed(Api api, int number) {
        Await.until(
                "no tick is about to start a run",
                Api.PATIENCE,
                () -> history(api, number).stream().noneMatch(start -> isIn(start, "claimed")));
    }

    private static Set<String> assertEachSecondIsThere(List<JsonNode> history, int number) {
        List<Instant> ticks = history.stream()
                .map(start -> Instant.parse(start.path("occur_time").asText()))
                .sorted()
                .toList();
        for (int index = 1; index < ticks.size(); index++) {
            assertThat(Duration.between(ticks.get(index - 1), ticks.get(index)))
                    .as("time between ticks of %s", path(number))
                    .isEqualTo(Duration.ofSeconds(1));
        }
        Set<String> runs = new HashSet<>();
        for (JsonNode start : history) {
            if (isIn(start, "started")) {
                String run = start.path("run_id").asText();
                assertThat(runs.add(run)).as("run %s of one tick only", run).isTrue();
            }
        }
        return runs;
    }

    private static int countRuns(Api api) {
        return pages(api, "/api/v1/runs").size();
    }

    private static boolean isIn(JsonNode start, String state) {
        return start.path("state").asText().equals(state);
    }

    private static List<JsonNode> started(Api api, int number) {
        return history(api, number).stream()
                .filter(start -> isIn(start, "started"))
                .toList();
    }

    private static List<JsonNode> history(Api api, int number) {
        return pages(api, "/api/v1/schedule-history/" + path(number));
    }

    private static List<JsonNode> pages(Api api, String address) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    api.get(address + "?page_size=1000&page_token=" + token).ok();
            page.path("items").forEach(items::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return items;
    }
}
