package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Compares random flows under random events with {@link ReferenceInterpreter}. Set {@code -Dmillrace.test.seed} to
 * repeat a run of the test, and {@code -Dmillrace.test.flows} for more flows.
 */
class RandomFlowsTest {
    private static final long SEED = Long.getLong("millrace.test.seed", System.nanoTime());
    private static final int FLOWS = Integer.getInteger("millrace.test.flows", 1_500);

    private static final int REDONE_MAX = 2;
    private static final int FAILURES_UNTIL = 20;

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
    void agreesWithTheReference() {
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
            assertThat(ends.keySet()).contains("Succeeded", "Failed", "Canceled");
        }
    }

    private static String runOne(Random random) {
        RandomFlow flows = new RandomFlow(random);
        FlowDefinition flow = flows.next();
        Map<String, SubFlows.Version> versions = new HashMap<>();
        flows.subFlows()
                .forEach((path, inner) ->
                        versions.put(path, Flows.subFlow(inner, Flows.scripts(List.of(RandomFlow.SCRIPT)))));
        FlowModel model = FlowModel.resolve(
                flow,
                Flows.scripts(List.of(RandomFlow.SCRIPT)),
                new SubFlows(versions, Set.of()),
                Flows.DEFAULTS,
                Limits.DEFAULT);
        RunOfFlow run = new RunOfFlow(model, RandomFlow.INPUT, random);
        try {
            String end = drive(flow, flows, run, random);
            redo(run, random);
            return end;
        } catch (RuntimeException | AssertionError failure) {
            if (FLOWS == 1) {
                System.out.println(flow);
                System.out.println(flows.subFlows());
                run.story().forEach(System.out::println);
            }
            throw failure;
        }
    }

    private static String drive(FlowDefinition flow, RandomFlow flows, RunOfFlow run, Random random) {
        ReferenceInterpreter reference = new ReferenceInterpreter(flow, RandomFlow.INPUT, flows.subFlows());
        int failurePercent = random.nextInt(2) == 0 ? 10 : 0;
        List<String> finished = new ArrayList<>();
        boolean compared = compare(run.start(), reference.started());
        while (run.end().isEmpty()) {
            int roll = random.nextInt(100);
            if (roll < 2) {
                assertThat(run.start().rejection()).contains(Rejection.ALREADY_STARTED);
            } else if (roll < 6 && !finished.isEmpty()) {
                String again = finished.get(random.nextInt(finished.size()));
                if (!run.inProgress().contains(again)) {
                    assertThat(run.succeed(again, "\"late\"").rejection()).contains(Rejection.STEP_NOT_LIVE);
                }
            } else if (roll < 7 && random.nextInt(5) == 0) {
                run.cancel();
            } else if (roll < 10) {
                compared &= pause(run, random, finished);
            } else {
                List<String> live = run.inProgress();
                String key = live.get(random.nextInt(live.size()));
                Outcome outcome = outcome(random, failurePercent);
                Decision decision = run.on(new FlowEvent.StepEnded(new StepKey(key), outcome));
                finished.add(key);
                compared = compared && compare(decision, reference.stepEnded(key, outcome));
            }
        }
        return run.end().orElseThrow().getClass().getSimpleName() + (compared ? "" : " beyond the reference");
    }

    /**
     * Pauses the run for some events, during which nothing begins. Returns whether nothing happened, so that the
     * reference still matches.
     */
    private static boolean pause(RunOfFlow run, Random random, List<String> finished) {
        run.on(new FlowEvent.Paused());
        int events = random.nextInt(3);
        for (int i = 0; i < events && run.end().isEmpty(); i++) {
            List<String> live = run.inProgress().stream()
                    .filter(key -> !key.endsWith("#hold") && !key.endsWith("#held"))
                    .toList();
            if (!live.isEmpty()) {
                String key = live.get(random.nextInt(live.size()));
                Decision decision = run.on(new FlowEvent.StepEnded(new StepKey(key), outcome(random, 5)));
                finished.add(key);
                assertThat(decision.jobs()).as("jobs of a paused run").isEmpty();
                assertThat(decision.runs()).as("runs that a paused run starts").isEmpty();
                assertThat(decision.waits())
                        .as("waits of a paused run")
                        .allMatch(begun -> begun.until() instanceof StartWait.Until.Resumed
                                || begun.key().text().endsWith("#delay"));
            }
        }
        if (run.end().isEmpty()) {
            run.on(new FlowEvent.Resumed());
            assertThat(run.inProgress()).noneMatch(key -> key.endsWith("#hold") || key.endsWith("#held"));
        }
        return events == 0;
    }

    /** Redoes parts of a run that has ended. {@link RunOfFlow} checks that the rows and the state agree. */
    private static void redo(RunOfFlow run, Random random) {
        for (int round = 0; round < REDONE_MAX && !stepsOf(run.journal()).isEmpty(); round++) {
            boolean isRetry = !(run.end().orElseThrow() instanceof Outcome.Succeeded) && random.nextBoolean();
            List<String> steps = stepsOf(run.journal());
            Optional<Decision> decision =
                    isRetry ? Optional.of(run.retry()) : run.redoFrom(steps.get(random.nextInt(steps.size())));
            for (int event = 0; decision.isPresent() && run.end().isEmpty(); event++) {
                List<String> live = run.inProgress();
                String key = live.get(random.nextInt(live.size()));
                int failurePercent = round == 0 && event < FAILURES_UNTIL ? 10 : 0;
                run.on(new FlowEvent.StepEnded(new StepKey(key), outcome(random, failurePercent)));
            }
        }
    }

    private static List<String> stepsOf(List<FinishedStep> journal) {
        return journal.stream()
                .map(row -> row.key().step().text())
                .filter(key -> !key.startsWith(StepKey.FAILURE.text()))
                .toList();
    }

    private static Outcome outcome(Random random, int failurePercent) {
        Json result = new Json(RESULTS.get(random.nextInt(RESULTS.size())));
        int roll = random.nextInt(100);
        if (roll < failurePercent) {
            return roll == 0
                    ? new Outcome.Canceled(RunOfFlow.error("stop"))
                    : new Outcome.Failed(new JobError("Error", "bad", "", random.nextBoolean()));
        }
        return roll < 90 ? new Outcome.Succeeded(result) : new Outcome.Skipped(result);
    }

    /** Compares a decision with the reference. Returns false if the reference cannot predict the decision. */
    private static boolean compare(Decision decision, ReferenceInterpreter.Expectation expected) {
        if (expected.ambiguous()) {
            return false;
        }
        Map<String, String> begun = new HashMap<>();
        decision.jobs().forEach(job -> begun.put(job.key().text(), job.input().text() + askedFor(job)));
        decision.waits().forEach(wait -> begun.put(wait.key().text(), inputOf(wait)));
        decision.runs()
                .forEach(start -> begun.put(start.key().text(), start.input().text()));
        assertThat(begun).as("what begins").isEqualTo(expected.jobs());
        Optional<String> output = decision.end()
                .filter(Outcome.Succeeded.class::isInstance)
                .map(end -> ((Outcome.Succeeded) end).result().text());
        assertThat(output).as("output").isEqualTo(expected.output());
        Optional<String> failure = decision.end()
                .filter(Outcome.Failed.class::isInstance)
                .map(end -> ((Outcome.Failed) end).error().message());
        assertThat(failure.isPresent())
                .as("fails: " + failure + ", " + expected.failedStep())
                .isEqualTo(expected.failedStep().isPresent());
        expected.failedStep()
                .ifPresent(step -> assertThat(failure.orElseThrow())
                        .startsWith(step.isEmpty() ? "The output of the flow" : "Step \"" + step + "\""));
        return true;
    }

    private static String inputOf(StartWait wait) {
        return switch (wait.until()) {
            case StartWait.Until.RunEnded awaited -> awaited.input().text();
            case StartWait.Until.Events events -> events.details().text();
            case StartWait.Until.Passed _, StartWait.Until.Resumed _, StartWait.Until.Reached _ -> "null";
        };
    }

    /** The options of a job that differ from the defaults. */
    private static String askedFor(StartJob job) {
        String tag = job.options().tag();
        Duration timeout = job.options().timeout();
        return (tag.equals(job.target().defaultTag()) ? "" : " tagged " + tag)
                + (timeout.equals(Flows.DEFAULTS.timeout()) ? "" : " within " + timeout.toSeconds() + "s")
                + (job.options().retry().equals(RetryPolicy.NONE) ? "" : " retried")
                + job.options()
                        .limit()
                        .map(limit -> " limited by " + limit.key())
                        .orElse("")
                + job.cache().map(use -> " cached by " + use.key().text()).orElse("");
    }
}
