package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.attempt.AttemptStore;
import dev.millrace.scheduler.attempt.EarlierAttempt;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.step.Step;
import dev.millrace.scheduler.run.step.Steps;
import dev.millrace.telemetry.Traceparent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes the traces of runs of their rows. Blocking and thread-safe. */
public final class RunTraces {
    /** Largest number of spans of one trace. */
    static final int SPANS_MAX = 10_000;

    private static final int PAGE_SIZE = 1_000;

    private final TraceStore store;
    private final Runs runs;
    private final Steps steps;
    private final AttemptStore attempts;
    private final Tracing tracing;

    public RunTraces(Database database, StartedJobs started, Tracing tracing) {
        this.store = new TraceStore(database);
        this.runs = new Runs(database, started);
        this.steps = new Steps(database, started);
        this.attempts = new AttemptStore(database);
        this.tracing = tracing;
    }

    /**
     * The spans of a run, that of the run first, the others by their begin.
     *
     * @param traceId absent if the run was not traced
     * @param isTruncated whether the run has further spans
     */
    record RunTrace(Optional<String> traceId, List<TraceSpan> spans, boolean isTruncated) {}

    /** Everything that is known of the run. Fails if there is no such run. */
    RunTrace load(RunRef ref) {
        Run run = runs.load(ref);
        Optional<Traceparent> context = store.find(ref.id()).flatMap(TraceStore.Traced::context);
        List<TraceSpan> spans =
                new ArrayList<>(RunSpans.of(run, context, stepsOf(ref.id()), attemptsOf(ref.id()), true));
        spans.addAll(tracing.kept(ref.id()));
        spans.subList(1, spans.size()).sort(Comparator.comparing(TraceSpan::start));
        boolean isTruncated = spans.size() > SPANS_MAX;
        return new RunTrace(
                context.map(Traceparent::traceId),
                isTruncated ? List.copyOf(spans.subList(0, SPANS_MAX)) : spans,
                isTruncated);
    }

    /** Exports the spans of a run that has ended. Does nothing if the run is gone. */
    void export(RunId id, Traceparent context) {
        store.find(id).ifPresent(traced -> {
            Run run = runs.loadEnded(traced.run());
            List<TraceSpan> spans = RunSpans.of(run, Optional.of(context), stepsOf(id), attemptsOf(id), false);
            tracing.export(context, spans);
        });
    }

    private List<EarlierAttempt> attemptsOf(RunId run) {
        return attempts.of(run, SPANS_MAX);
    }

    private List<Step> stepsOf(RunId run) {
        List<Step> all = new ArrayList<>();
        String token = "";
        do {
            PageRequest.Page<Step> page = steps.list(run, PageRequest.of(PAGE_SIZE, token), false);
            all.addAll(page.items());
            token = page.nextToken();
        } while (!token.isEmpty() && all.size() < SPANS_MAX);
        return all;
    }
}
