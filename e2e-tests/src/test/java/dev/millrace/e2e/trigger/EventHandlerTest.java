package dev.millrace.e2e.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each message of a step is handled once, whichever schedulers are killed meanwhile. */
final class EventHandlerTest {
    private static final int MESSAGES_A_ROUND = 100;

    private static final String PAY = """
            {"name": "pay", "version": 1, "tasks": [
              {"name": "say", "taskReferenceName": "say", "type": "EVENT", "sink": "conductor:paid",
               "inputParameters": {"n": "${workflow.input.n}"}}]}
            """;
    private static final String SHIP = """
            {"name": "ship", "version": 1, "tasks": [
              {"name": "note", "taskReferenceName": "note", "type": "SET_VARIABLE", "inputParameters": {"n": "${workflow.input.n}"}}],
             "outputParameters": {"n": "${workflow.input.n}"}}
            """;

    @Test
    @Tag("nightly")
    void eachMessageStartsOneRunWhileSchedulersAreKilled() {
        try (Installation installation = Installation.start(
                "event-handlers", ClusterPlan.small().withSchedulers(2).withWorkers())) {
            Api api = installation.api();
            api.deployFlow(PAY, Map.of());
            api.deployFlow(SHIP, Map.of());
            api.post(
                            "/api/v1/conductor/event",
                            Map.of(
                                    "name",
                                    "ship_when_paid",
                                    "event",
                                    "conductor:pay:paid",
                                    "condition",
                                    "$.n % 2 == 0",
                                    "active",
                                    true,
                                    "actions",
                                    List.of(Map.of(
                                            "action",
                                            "start_workflow",
                                            "start_workflow",
                                            Map.of("name", "ship", "input", Map.of("n", "${n}"))))))
                    .ok();

            int sent = publish(api, 0);
            installation.cluster().scheduler(1).kill();
            sent = publish(api, sent);
            installation.cluster().scheduler(1).start();
            sent = publish(api, sent);
            installation.cluster().scheduler(0).kill();
            installation.cluster().scheduler(0).start();
            api.awaitReady();
            int all = publish(api, sent);

            Await.until(all + " messages are handled", Api.PATIENCE.multipliedBy(2), () -> {
                try {
                    List<JsonNode> handled = pages(api, "/api/v1/event-executions/ship_when_paid");
                    return handled.size() >= all
                            && handled.stream()
                                    .noneMatch(one -> one.path("state").asText().equals("in_progress"));
                } catch (UncheckedIOException | AssertionError away) {
                    return false;
                }
            });
            assertThat(pages(api, "/api/v1/event-executions/ship_when_paid")).hasSize(all);
            List<JsonNode> shipped = pages(api, "/api/v1/runs").stream()
                    .filter(run -> run.path("name").asText().equals("ship"))
                    .toList();
            Set<Integer> numbers = new TreeSet<>();
            shipped.forEach(run -> numbers.add(
                    api.run(run.path("id").asText()).path("input").path("n").asInt()));
            assertThat(shipped).hasSize(all / 2);
            assertThat(numbers).hasSize(all / 2).allMatch(n -> n % 2 == 0);
        }
    }

    private static int publish(Api api, int from) {
        for (int n = from; n < from + MESSAGES_A_ROUND; n++) {
            api.submit(Map.of("target", Map.of("flow", "pay"), "input", Map.of("n", n)));
        }
        return from + MESSAGES_A_ROUND;
    }

    private static List<JsonNode> pages(Api api, String address) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    api.get(address + "?page_size=500&page_token=" + token).ok();
            page.path("items").forEach(items::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return items;
    }
}
