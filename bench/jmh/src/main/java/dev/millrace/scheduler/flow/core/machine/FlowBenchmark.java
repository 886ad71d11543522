package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Whole runs through the flow machine, and their fold from the journal. Divide the times by the number of steps. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FlowBenchmark {
    private static final RunId RUN = new RunId(new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0001L));
    private static final JobId JOB = new JobId(new UUID(0, 0));
    private static final Outcome RESULT = new Outcome.Succeeded(new Json("{\"n\":1,\"other\":\"some text\"}"));

    @Param({"sequence", "loop"})
    private String shape;

    @Param({"40", "5000"})
    private int steps;

    private FlowModel model;
    private Json input;
    private List<FinishedStep> journal;

    @Setup
    public void prepare() {
        model = model(shape.equals("loop") ? loop() : sequence(steps));
        input = new Json("{\"items\":" + IntStream.range(0, steps).boxed().toList() + "}");
        journal = run();
        // The fold is that of a run in progress.
        journal.removeLast();
    }

    /** All events of a run. */
    @Benchmark
    public int decide() {
        return run().size();
    }

    /** A scheduler's work for a run that it does not remember. */
    @Benchmark
    public FlowState fold() {
        return FlowFold.of(model, RUN, input, journal, Set.of());
    }

    private List<FinishedStep> run() {
        List<FinishedStep> rows = new ArrayList<>();
        FlowState state = FlowState.fresh(model, RUN, input);
        Deque<StepKey> live = new ArrayDeque<>();
        FlowEvent event = new FlowEvent.Started();
        while (true) {
            Decision decision = FlowMachine.decide(model, state, event);
            decision.records().forEach(row -> rows.add(new FinishedStep(JOB, row.kind(), row.key(), row.outcome())));
            decision.jobs().forEach(job -> live.add(job.key()));
            if (decision.end().isPresent()) {
                return rows;
            }
            StepKey next = live.remove();
            rows.add(new FinishedStep(JOB, JobKind.SCRIPT, next, RESULT));
            event = new FlowEvent.StepEnded(next, RESULT);
        }
    }

    private static String sequence(int steps) {
        return "inputs: {items: {}}\nsteps:\n  - {id: s0, script: s.py}\n"
                + IntStream.range(1, steps)
                        .mapToObj(i -> "  - {id: s%d, script: s.py, input: {x: \"${{ steps.s%d.result.n }}\"}}\n"
                                .formatted(i, i - 1))
                        .collect(Collectors.joining());
    }

    private static String loop() {
        return """
                inputs: {items: {}}
                steps:
                  - {id: loop, for_each: "${{ inputs.items }}", parallelism: 64, script: s.py, input: {x: "${{ item }}"}}
                """;
    }

    private static FlowModel model(String definition) {
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), "millrace: v1\n" + definition));
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            throw new IllegalStateException("The flow is refused: " + compilation);
        }
        Map<String, JobTarget.Script> scripts = compiled.scriptPaths().stream()
                .collect(Collectors.toMap(path -> path, path -> new JobTarget.Script("hash", Language.PYTHON)));
        return FlowModel.resolve(compiled.flow(), scripts, new Defaults(Duration.ofMinutes(5)));
    }
}
