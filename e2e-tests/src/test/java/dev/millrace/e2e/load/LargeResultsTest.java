package dev.millrace.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A run whose results are half as large as its scheduler's heap: the scheduler keeps what fits, and reads the rest when
 * a step needs it.
 */
@Tag("nightly")
final class LargeResultsTest {
    private static final int STEPS = 60;
    private static final int RESTART_AT = STEPS / 2;
    private static final int RESULT_BYTES = 2_000_000;

    private static final String LARGE = """
            import random
            def main(number: int, size: int):
                return {"number": number, "noise": random.randbytes(size // 2).hex()}
            """;

    @Test
    void outgrowTheMemoryOfTheirScheduler() {
        try (var installation = Installation.start("large-results", ClusterPlan.small())) {
            Api api = installation.api();
            api.deployScript("load/large.py", LARGE);
            api.deployFlow(definition(), Map.of());

            String run = api.submit(Map.of("target", Map.of("flow", "load/large"), "input", Map.of()));
            Await.until(
                    "half of the steps have ended",
                    Api.PATIENCE,
                    () -> endedSteps(api, run) >= RESTART_AT,
                    () -> api.run(run).toString());
            var scheduler = installation.cluster().scheduler(0);
            scheduler.kill();
            scheduler.start();

            JsonNode ended = api.awaitEnd(run);
            assertThat(ended.path("error").toString()).isEmpty();
            assertThat(ended.path("output").toString())
                    .isEqualTo("{\"all\":" + STEPS * (STEPS - 1) / 2 + ",\"some\":" + (STEPS - 1) + "}");
            assertThat(scheduler.output()).as("a second start").doesNotContain("OutOfMemory");
        }
    }

    private static int endedSteps(Api api, String run) {
        return api.get("/api/v1/runs/" + run + "/steps?page_size=1000")
                .ok()
                .path("items")
                .size();
    }

    /** Returns a flow that reads all results at its end, by plain paths and by an expression. */
    private static String definition() {
        var definition = new StringBuilder("millrace: v1\nname: load/large\nsteps:\n");
        var sum = new StringBuilder("0");
        for (int i = 0; i < STEPS; i++) {
            definition.append("  - {id: s%d, script: load/large.py, input: {number: %d, size: %d}}%n"
                    .formatted(i, i, RESULT_BYTES));
            sum.append(" + steps.s").append(i).append(".result.number");
        }
        definition.append("  - {id: some, value: \"${{ steps.s0.result.number + steps.s%d.result.number }}\"}%n"
                .formatted(STEPS - 1));
        definition
                .append("  - {id: all, value: {all: \"${{ ")
                .append(sum)
                .append(" }}\", some: \"${{ steps.some.result }}\"}}\n");
        return definition.toString();
    }
}
