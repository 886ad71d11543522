package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A flow that starts on the end of another one, while schedulers are killed: one of two, and then both. Each end has started
 * one run in the end.
 */
@Tag("nightly")
final class EventTriggersCrashTest {
    private static final int RUNS_A_PHASE = 40;
    private static final int ROUNDS = Integer.getInteger("millrace.test.rounds", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HISTORY = "/api/v1/trigger-events/event/crash/report/imported";

    @Test
    void eachEndStartsOneRun() {
        try (Installation installation = Installation.start(
                "event-triggers", FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers())) {
            Api api = installation.api();
            api.deployFlow("{millrace: v1, name: crash/import, steps: [{id: a, value: 1}]}", Map.of());
            api.deployFlow("""
                    millrace: v1
                    name: crash/report
                    on: {imported: {types: [run.succeeded], path: crash/import}}
                    steps: [{id: a, value: 1}]
                    """, Map.of());
            for (int round = 0; round < ROUNDS; round++) {
                submit(api);
                installation.cluster().scheduler(1).kill();
                submit(api);
                installation.cluster().scheduler(0).kill();
                installation.cluster().scheduler(0).start();
                installation.cluster().scheduler(1).start();
                api.awaitReady();
            }
            submit(api);

            int imports = runs(api, "crash/import").size();
            assertThat(imports).isGreaterThanOrEqualTo(RUNS_A_PHASE);
            Await.until(
                    "each import has started a run",
                    PATIENCE,
                    () -> states(api).equals(Map.of("started", (long) imports)),
                    () -> states(api).toString());
            Set<String> started = pages(api, HISTORY).stream()
                    .map(entry -> entry.path("run_id").asText())
                    .collect(Collectors.toSet());
            assertThat(started).hasSize(imports);
            assertThat(runs(api, "crash/report")).containsExactlyInAnyOrderElementsOf(started);
        }
    }

    /** Runs whose acceptance the kill of a scheduler has hidden count too, since they are found in the list. */
    private static void submit(Api api) {
        Map<String, Object> run = Map.of("target", Map.of("flow", "crash/import"));
        for (int number = 0; number < RUNS_A_PHASE; number++) {
            Await.until(
                    "a run is accepted",
                    Api.PATIENCE,
                    () -> api.post("/api/v1/runs", run).status() < 300);
        }
    }

    private static Map<String, Long> states(Api api) {
        return pages(api, HISTORY).stream()
                .collect(Collectors.groupingBy(entry -> entry.path("state").asText(), Collectors.counting()));
    }

    private static List<String> runs(Api api, String name) {
        return pages(api, "/api/v1/runs").stream()
                .filter(run -> run.path("name").asText().equals(name))
                .map(run -> run.path("id").asText())
                .toList();
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
