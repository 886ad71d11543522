package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * Prints what a step costs in flows of different sizes, including the fold. Run it as a main class: unit tests must not
 * depend on time.
 */
final class FlowCost {
    private static final int REPETITIONS = 7;
    private static final int WEIGHING = 5_000;
    private static final JobId ID = new JobId(new UUID(0, 0));

    private FlowCost() {}

    public static void main(String[] arguments) {
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            System.out.println("--- repetition " + repetition);
            for (int steps : new int[] {50, 500, 5_000, 10_000}) {
                measure("sequence of " + steps, sequence(steps), "{}", Math.max(1, 20_000 / steps));
            }
            measure("fan-in of 5000", fanIn(4_998), "{}", 4);
            for (int items : new int[] {100, 100_000}) {
                measure("loop of " + items, LOOP, "{\"items\":[" + "1,".repeat(items - 1) + "1]}", 100_000 / items);
            }
        }
    }

    private static final String LOOP = """
            inputs: {items: {}}
            steps:
              - id: loop
                for_each: ${{ inputs.items }}
                parallelism: 64
                steps:
                  - {id: a, script: s.py, input: {x: "${{ item }}"}}
                  - {id: b, script: s.py, input: {x: "${{ steps.a.result.n }}"}}
            """;

    private static String sequence(int steps) {
        StringBuilder flow = new StringBuilder("steps:\n  - {id: s0, script: s.py}\n");
        for (int i = 1; i < steps; i++) {
            flow.append("  - {id: s")
                    .append(i)
                    .append(", script: s.py, input: {x: \"${{ steps.s")
                    .append(i - 1)
                    .append(".result.n }}\"}}\n");
        }
        return flow.toString();
    }

    private static String fanIn(int width) {
        StringBuilder flow = new StringBuilder("steps:\n  - {id: first, script: s.py}\n");
        StringBuilder needs = new StringBuilder();
        for (int i = 0; i < width; i++) {
            flow.append("  - {id: s")
                    .append(i)
                    .append(", needs: [first], script: s.py, input: {x: \"${{ steps.first.result.n }}\"}}\n");
            needs.append(i == 0 ? "" : ", ").append('s').append(i);
        }
        return flow.append("  - {id: last, needs: [")
                .append(needs)
                .append("], script: s.py}\n")
                .toString();
    }

    private static void measure(String name, String definition, String input, int runs) {
        FlowModel model = Flows.model(definition);
        long steps = 0;
        long nanos = 0;
        long foldNanos = 0;
        long weight = 0;
        for (int i = 0; i < runs; i++) {
            List<FinishedStep> journal = new ArrayList<>();
            FlowState state = Flows.fresh(model, input);
            long began = System.nanoTime();
            weight = Math.max(weight, run(model, state, journal));
            nanos += System.nanoTime() - began;
            steps += journal.size();
            journal.removeLast();
            long foldBegan = System.nanoTime();
            FlowFold.of(model, Flows.RUN, new Json(input), journal, new HashSet<>());
            foldNanos += System.nanoTime() - foldBegan;
        }
        System.out.printf(
                Locale.ROOT,
                "%-20s %6.2f us a step, fold %6.2f us a row, weight at most %,d%n",
                name,
                nanos / 1e3 / steps,
                foldNanos / 1e3 / steps,
                weight);
    }

    private static long run(FlowModel model, FlowState state, List<FinishedStep> journal) {
        Outcome outcome = new Outcome.Succeeded(new Json("{\"n\":1,\"other\":\"some text\"}"));
        Deque<StepKey> live = new ArrayDeque<>();
        FlowEvent event = new FlowEvent.Started();
        long weight = 0;
        while (true) {
            Decision decision = FlowMachine.decide(model, state, event);
            decision.records().forEach(row -> journal.add(new FinishedStep(ID, row.kind(), row.key(), row.outcome())));
            decision.jobs().forEach(job -> live.add(job.key()));
            if (journal.size() % WEIGHING == 0) {
                weight = Math.max(weight, state.weight());
            }
            if (decision.end().isPresent()) {
                return weight;
            }
            StepKey next = live.remove();
            journal.add(new FinishedStep(ID, JobKind.SCRIPT, next, outcome));
            event = new FlowEvent.StepEnded(next, outcome);
        }
    }
}
