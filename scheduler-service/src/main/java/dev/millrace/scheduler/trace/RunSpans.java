package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.attempt.EarlierAttempt;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunOrigin;
import dev.millrace.scheduler.run.step.Step;
import dev.millrace.scheduler.run.step.StepState;
import dev.millrace.scheduler.trace.core.SpanIds;
import dev.millrace.scheduler.trace.core.TracedSteps;
import dev.millrace.telemetry.Traceparent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes the spans of a run of what is known of the run and its steps. A pure function: the same spans come of the same
 * history, wherever and however often they are made.
 */
final class RunSpans {
    private final Run run;
    private final Map<JobId, List<EarlierAttempt>> attempts;
    private final Set<String> containers = new HashSet<>();
    private final List<TraceSpan> spans = new ArrayList<>();

    private RunSpans(Run run, List<EarlierAttempt> attempts) {
        this.run = run;
        this.attempts = attempts.stream().collect(Collectors.groupingBy(EarlierAttempt::job));
    }

    /**
     * The spans, that of the run first, the others by their begin.
     *
     * @param context the trace context with which the run was submitted; absent if it was not traced
     * @param steps the steps of the run; for a run without a flow, its root job
     * @param attempts those that did not end their jobs, by their numbers
     * @param isComplete whether also late iterations of loops have spans ({@link TracedSteps#isDetailed})
     */
    static List<TraceSpan> of(
            Run run,
            Optional<Traceparent> context,
            List<Step> steps,
            List<EarlierAttempt> attempts,
            boolean isComplete) {
        RunSpans made = new RunSpans(run, attempts);
        steps.stream().filter(RunSpans::holdsOthers).map(Step::key).forEach(made.containers::add);
        steps.stream()
                .filter(step -> isShown(step) && !isReused(run, step))
                .filter(step -> isComplete || step.state() == StepState.FAILED || TracedSteps.isDetailed(step.key()))
                .forEach(made::add);
        made.spans.sort(Comparator.comparing(TraceSpan::start));
        made.spans.addFirst(made.root(context));
        return made.spans;
    }

    private static boolean holdsOthers(Step step) {
        return step.kind().isContainer() || step.kind() == JobKind.CHILD_RUN;
    }

    private static boolean isShown(Step step) {
        return step.kind() != JobKind.RESET && step.state() != StepState.SKIPPED && !step.isRootOfFlow();
    }

    /**
     * Whether a rerun has taken the step over from the run before, in whose trace it is: it ended before this run was
     * accepted.
     */
    private static boolean isReused(Run run, Step step) {
        return run.origin()
                        .filter(origin -> origin.relation() == RunRelation.RERUN)
                        .isPresent()
                && step.times()
                        .ended()
                        .filter(end -> end.isBefore(run.times().created()))
                        .isPresent();
    }

    /** When a step began, in this run: a container of a rerun may have been opened in the run before. */
    private Instant begin(Step step) {
        Instant created = step.times().created();
        return created.isBefore(run.times().created()) ? run.times().created() : created;
    }

    private TraceSpan root(Optional<Traceparent> context) {
        String id = SpanIds.ofRun(run.id());
        String parent = run.origin()
                .flatMap(RunSpans::starter)
                .or(() -> context.map(Traceparent::spanId))
                // A trace that begins with the run has the run itself as the parent of what follows.
                .filter(caller -> !caller.equals(id))
                .orElse("");
        AttributesBuilder attributes = Attributes.builder()
                .put(TraceKeys.WORKSPACE, run.workspace().name())
                .put(TraceKeys.RUN_ID, run.id().toString())
                .put(TraceKeys.RUN_NAME, run.name())
                .put(TraceKeys.RUN_STATE, word(run.state()));
        if (run.fromCache()) {
            attributes.put(TraceKeys.FROM_CACHE, true);
        }
        return withError(
                TraceSpan.of(
                        id,
                        parent,
                        "run " + run.name(),
                        SpanKind.INTERNAL,
                        run.times().created(),
                        run.times().ended(),
                        attributes.build()),
                run.error(),
                false);
    }

    /** The span of the step or run that started the run, which is in the same trace. */
    private static Optional<String> starter(RunOrigin origin) {
        return switch (origin.relation()) {
            case CHILD_RUN -> Optional.of(SpanIds.ofStep(origin.run(), origin.stepKey()));
            case START_RUN, FAILURE_FLOW -> Optional.of(SpanIds.ofRun(origin.run()));
            case RESTART, RERUN -> Optional.empty();
        };
    }

    private void add(Step step) {
        String id = step.key().isEmpty() ? SpanIds.ofRun(run.id()) : spanOf(step);
        if (!step.key().isEmpty()) {
            spans.add(withError(
                    TraceSpan.of(
                            id,
                            parentOf(step.key()),
                            "step " + TracedSteps.nameOf(step.key()),
                            SpanKind.INTERNAL,
                            begin(step),
                            step.times().ended(),
                            about(step)),
                    step.error(),
                    step.erased()));
        }
        if (step.kind().isJob() && !step.fromCache()) {
            addJob(step, id);
        }
    }

    private String spanOf(Step step) {
        return holdsOthers(step) ? SpanIds.ofStep(run.id(), step.key()) : SpanIds.ofJob(step.id());
    }

    private String parentOf(String key) {
        for (String around = TracedSteps.containerOf(key);
                !around.isEmpty();
                around = TracedSteps.containerOf(around)) {
            if (containers.contains(around)) {
                return SpanIds.ofStep(run.id(), around);
            }
        }
        return SpanIds.ofRun(run.id());
    }

    /** Adds the time in the queue, the attempts that were repeated, and the last so far. */
    private void addJob(Step step, String parent) {
        List<EarlierAttempt> earlier = attempts.getOrDefault(step.id(), List.of());
        Optional<Instant> started = step.times().started();
        addQueue(step, parent, earlier.stream().findFirst());
        for (EarlierAttempt attempt : earlier) {
            if (attempt.number() < step.attempt()) {
                spans.add(attempt(
                        step,
                        parent,
                        attempt.number(),
                        attempt.began().orElse(attempt.ended()),
                        Optional.of(attempt.ended()),
                        attempt.worker(),
                        Optional.of(attempt.error())));
            }
        }
        started.ifPresent(begin -> spans.add(
                attempt(step, parent, step.attempt(), begin, step.times().ended(), step.worker(), step.error())));
    }

    /** Without the first attempt, nobody knows when the wait for it ended. */
    private void addQueue(Step step, String parent, Optional<EarlierAttempt> first) {
        boolean isKnown = step.attempt() == 1
                || first.filter(attempt -> attempt.number() == 1).isPresent();
        if (isKnown) {
            Optional<Instant> begun = first.map(attempt -> attempt.began().orElse(attempt.ended()))
                    .or(() -> step.times().started())
                    .or(() -> step.times().ended());
            spans.add(TraceSpan.of(
                    SpanIds.ofQueue(step.id()),
                    parent,
                    "queue",
                    SpanKind.INTERNAL,
                    step.times().created(),
                    begun,
                    Attributes.of(TraceKeys.JOB_ID, step.id().toString())));
        }
    }

    private static TraceSpan attempt(
            Step step,
            String parent,
            int number,
            Instant begin,
            Optional<Instant> end,
            String worker,
            Optional<JobError> error) {
        Instant created = step.times().created();
        return withError(
                TraceSpan.of(
                        SpanIds.ofAttempt(step.id(), number),
                        parent,
                        "attempt " + number,
                        SpanKind.CLIENT,
                        begin.isBefore(created) ? created : begin,
                        end,
                        Attributes.builder()
                                .put(TraceKeys.JOB_ID, step.id().toString())
                                .put(TraceKeys.ATTEMPT, (long) number)
                                .put(TraceKeys.WORKER, worker)
                                .build()),
                error,
                step.erased());
    }

    private Attributes about(Step step) {
        AttributesBuilder attributes = Attributes.builder()
                .put(TraceKeys.RUN_ID, run.id().toString())
                .put(TraceKeys.STEP_KEY, step.key())
                .put(TraceKeys.STEP_KIND, word(step.kind()))
                .put(TraceKeys.STEP_STATE, word(step.state()));
        if (step.fromCache()) {
            attributes.put(TraceKeys.FROM_CACHE, true);
        }
        step.childRun().ifPresent(child -> attributes.put(TraceKeys.CHILD_RUN_ID, child.toString()));
        return attributes.build();
    }

    /** Marks a span as failed, unless there is no error. Errors that were erased say only that there was one. */
    static TraceSpan withError(TraceSpan span, Optional<JobError> error, boolean isErased) {
        if (error.isEmpty()) {
            return span;
        }
        JobError told = error.get();
        Attributes attributes = span.attributes().toBuilder()
                .put(TraceKeys.ERROR_TYPE, told.name())
                .build();
        TraceSpan marked = new TraceSpan(
                span.id(),
                span.parent(),
                span.name(),
                span.kind(),
                span.start(),
                span.end(),
                attributes,
                span.status(),
                span.events(),
                span.scope(),
                span.worker());
        if (isErased) {
            return marked.failed(StatusData.error(), List.of());
        }
        AttributesBuilder exception = Attributes.builder()
                .put(TraceKeys.EXCEPTION_TYPE, told.name())
                .put(TraceKeys.EXCEPTION_MESSAGE, told.message());
        if (!told.stack().isEmpty()) {
            exception.put(TraceKeys.EXCEPTION_STACK, told.stack());
        }
        return marked.failed(
                StatusData.create(StatusCode.ERROR, told.name() + ": " + told.message()),
                List.of(EventData.create(
                        nanos(span.end().orElse(span.start())), TraceKeys.EXCEPTION, exception.build())));
    }

    /** Nanoseconds since 1970. */
    static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
