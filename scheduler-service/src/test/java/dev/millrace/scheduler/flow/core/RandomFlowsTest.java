package dev.millrace.scheduler.flow.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random flows under random events, against {@link ReferenceInterpreter}. Set {@code -Dmillrace.test.seed} to repeat a run and
 * {@code -Dmillrace.test.flows} for more of them.
 */
class RandomFlowsTest {
    private static final long SEED = Long.getLong("millrace.test.seed", System.nanoTime());
    private static final int FLOWS = Integer.getInteger("millrace.test.flows", 3_000);

    private static final List<String> RESULTS = List.of(
            "null",
            "0",
            "1.50",
            "true",
            "\"fast\"",
            "[]",
            "[1,2]",
            "{\"k\":1}",
            "{\"k\":[1,2,3]}",
            "[ {\"k\":\"v\"} ]");

    @Test
    void doesWhatTheReferenceDoes() {
        System.out.println("random flows: -Dmillrace.test.seed=" + SEED);
        Map<String, Integer> ends = new TreeMap<>();
        for (int i = 0; i < FLOWS; i++) {
            long seed = SEED + i;
            try {
                ends.merge(runOne(new Random(seed)), 1, Integer::sum);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError(
                        "-Dmillrace.test.seed=" + seed + " -Dmillrace.test.flows=1: " + failure.getMessage(), failure);
            }
        }
        System.out.println("random flows ended: " + ends);
        if (FLOWS > 1_000) {
            assertThat(ends.keySet()).containsExactlyInAnyOrder("Succeeded", "Failed", "Canceled");
        }
    }

    private static String runOne(Random random) {
        FlowDefinition flow = new RandomFlow(random).next();
        FlowModel model = Flows.model(flow, List.of(RandomFlow.SCRIPT), Limits.DEFAULT);
        RunOfFlow run = new RunOfFlow(model, RandomFlow.INPUT, random);
        ReferenceInterpreter reference = new ReferenceInterpreter(flow, RandomFlow.INPUT);
        int failurePercent = random.nextInt(4) == 0 ? 10 : 0;
        Map<String, String> containers = new HashMap<>();
        List<String> finished = new ArrayList<>();
        compare(run.start(), reference.started(), containers);
        while (run.end().isEmpty()) {
            int roll = random.nextInt(100);
            if (roll < 2) {
                assertThat(run.start().rejection()).contains(Rejection.ALREADY_STARTED);
            } else if (roll < 6 && !finished.isEmpty()) {
                String again = finished.get(random.nextInt(finished.size()));
                assertThat(run.succeed(again, "\"late\"").rejection()).contains(Rejection.STEP_NOT_LIVE);
            } else if (roll < 7 && random.nextInt(5) == 0) {
                run.cancel();
            } else {
                List<String> live = List.copyOf(run.live().keySet());
                String key = live.get(random.nextInt(live.size()));
                Outcome outcome = outcome(random, failurePercent);
                Decision decision = run.on(new FlowEvent.StepEnded(new StepKey(key), outcome));
                finished.add(key);
                compare(decision, reference.stepEnded(key, outcome), containers);
            }
        }
        return run.end().orElseThrow().getClass().getSimpleName();
    }

    private static Outcome outcome(Random random, int failurePercent) {
        Json result = new Json(RESULTS.get(random.nextInt(RESULTS.size())));
        int roll = random.nextInt(100);
        if (roll < failurePercent) {
            return roll == 0
                    ? new Outcome.Canceled(RunOfFlow.error("stop"))
                    : new Outcome.Failed(RunOfFlow.error("bad"));
        }
        return roll < 90 ? new Outcome.Succeeded(result) : new Outcome.Skipped(result);
    }

    private static void compare(
            Decision decision, ReferenceInterpreter.Expectation expected, Map<String, String> containers) {
        Map<String, String> jobs = decision.jobs().stream()
                .collect(Collectors.toMap(
                        job -> job.key().text(), job -> job.input().text()));
        assertThat(jobs).as("jobs").isEqualTo(expected.jobs());
        if (expected.failed().isEmpty()) {
            for (StepRecord row : decision.records()) {
                if (!row.key().isOpening() && row.outcome() instanceof Outcome.Succeeded succeeded) {
                    containers.put(row.key().text(), succeeded.result().text());
                }
            }
            // Once a container has ended, the reference no longer walks into it less deeply: both hold all of them.
            assertThat(new TreeMap<>(containers)).as("containers").isEqualTo(expected.ended());
        }
        switch (decision.end().orElse(null)) {
            case Outcome.Succeeded succeeded ->
                assertThat(succeeded.result().text())
                        .as("output")
                        .isEqualTo(expected.output().orElse("none"));
            case Outcome.Failed failed -> {
                assertThat(expected.fails())
                        .as("fails: " + failed.error().message())
                        .isTrue();
                assertThat(expected.failed())
                        .as("failed steps")
                        .anyMatch(key -> failed.error().message().startsWith("Step \"" + key + "\"")
                                || (key.isEmpty() && failed.error().message().startsWith("The output of the flow")));
            }
            case Outcome.Canceled canceled -> throw new AssertionError("cancelled: " + canceled);
            case Outcome.Skipped skipped -> throw new AssertionError("skipped: " + skipped);
            case null -> {
                assertThat(expected.fails()).as("fails").isFalse();
                assertThat(expected.output()).as("output").isEmpty();
            }
        }
    }
}
