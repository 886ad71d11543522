package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.harness.ServiceProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills schedulers while somebody follows the events of their runs and goes on at the last position. */
@Tag("nightly")
final class EventsCrashTest {
    private static final int RUNS_BETWEEN_STRIKES = 3;
    private static final RandomGenerator RANDOM = Seed.random("EventsCrashTest");
    private static final String FLOW = """
            millrace: v1
            name: counted
            steps:
              - {id: a, script: one.py}
              - {id: b, script: one.py}
              - {id: c, script: one.py}
            """;

    private static Installation installation;
    private static Api api;

    @BeforeAll
    static void start() {
        installation = Installation.start(
                "events", FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers(0, 1));
        api = installation.api();
        api.deployFlow(FLOW, Map.of("one.py", "def main():\n    return 1\n"));
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void showsEveryChangeInOrderToAReaderThatGoesOn() {
        var reader = new Reader();
        List<String> runs = new ArrayList<>();
        reader.readWhile(() -> submit(runs));
        for (int scheduler : new int[] {0, 1, RANDOM.nextInt(2)}) {
            reader.readWhile(() -> {
                submit(runs);
                ServiceProcess struck = installation.cluster().scheduler(scheduler);
                struck.kill();
                struck.start();
                api.awaitReady();
                submit(runs);
            });
        }
        runs.forEach(run -> assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded"));
        reader.readToTheEnd();

        assertThat(reader.gaps).isZero();
        for (String run : runs) {
            List<String> events = reader.of(run);
            assertThat(events).startsWith("run.accepted ", "run.started ").endsWith("run.succeeded ");
            assertThat(events.stream().filter(event -> event.startsWith("step.succeeded")))
                    .containsExactly("step.succeeded a", "step.succeeded b", "step.succeeded c");
            for (String step : List.of("a", "b", "c")) {
                assertThat(events.lastIndexOf("step.started " + step))
                        .isNotNegative()
                        .isLessThan(events.indexOf("step.succeeded " + step));
            }
        }
    }

    private static void submit(List<String> runs) {
        for (int i = 0; i < RUNS_BETWEEN_STRIKES; i++) {
            runs.add(api.submit(Map.of("target", Map.of("flow", "counted"))));
        }
    }

    /** Somebody who remembers a position. */
    private static final class Reader {
        private final Map<String, List<String>> byRun = new HashMap<>();
        private final Set<String> ids = new HashSet<>();
        private Optional<String> position = Optional.empty();
        private int gaps;

        /** Reads what happens during the work, and leaves before the last events may have come. */
        void readWhile(Runnable work) {
            List<EventStream.Event> read;
            try (EventStream stream = api.follow(address(""))) {
                stream.await("a first event", Api.PATIENCE, _ -> true);
                work.run();
                read = stream.soFar();
            }
            read.forEach(this::note);
        }

        void readToTheEnd() {
            try (EventStream stream = api.follow(address("&until_now=true"))) {
                stream.awaitEnd(Api.PATIENCE).forEach(this::note);
            }
        }

        private String address(String more) {
            return "/api/v1/events?type=run.*,step.*"
                    + position.map(after -> "&after_position=" + after).orElse("") + more;
        }

        private void note(EventStream.Event event) {
            JsonNode data = event.data();
            if (event.type().equals("gap")) {
                gaps++;
            }
            if (event.type().equals("event") && ids.add(data.path("id").asText())) {
                String type = data.path("type").asText().replace("dev.millrace.", "");
                String step = data.path("data").path("step").asText();
                byRun.computeIfAbsent(data.path("data").path("run_id").asText(), _ -> new ArrayList<>())
                        .add(type + " " + step);
            }
            if (data.has("position")) {
                position = Optional.of(data.path("position").asText());
            }
        }

        List<String> of(String run) {
            return byRun.getOrDefault(run, List.of());
        }
    }
}
