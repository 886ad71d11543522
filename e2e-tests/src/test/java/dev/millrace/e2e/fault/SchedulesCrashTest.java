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
        Await.until(
                "no tick is about to start a run",
                Api.PATIENCE,
                () -> history(api, number).stream().noneMatch(start -> isIn(start, "claimed")));
        List<JsonNode> history = history(api, number);
        assertThat(history).allMatch(start -> isIn(start, "started"));
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
            String run = start.path("run_id").asText();
            assertThat(runs.add(run)).as("run %s of one tick only", run).isTrue();
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
