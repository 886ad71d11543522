package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a flow asks for beyond its steps.
 *
 * @param variables values the run's variables begin with, an object
 * @param onFailure steps that run once the flow has failed, before the run ends as failed; they see {@code error}
 * @param failureFlow path of a flow that is started once the run has failed, with {@code {run_id, error, input}}; absent for none
 * @param timeout longest time from the begin of the run to its end
 * @param priority of its jobs, where a step names none
 * @param concurrency how many runs go on at a time, or begin in some time
 * @param inputSchema JSON Schema 2020-12 that the input must fulfil, beside the declared inputs
 * @param undeclared what becomes of inputs that a run gives and the flow does not declare
 * @param cache how the result of the whole flow is kept
 * @param callers how those that submit runs are treated
 * @param sameWorker whether one worker runs all its steps, which share a folder there; those of {@code onFailure} are not among them
 * @param env constants that all its expressions can read, an object
 * @param recovers where it is true as JavaScript understands it at the end of {@code onFailure}, the run succeeds after all, with the result of that;
 *     not inside of another flow
 */
public record FlowOptions(
        JsonValue variables,
        Optional<StepList> onFailure,
        Optional<FailureFlow> failureFlow,
        Optional<Duration> timeout,
        int priority,
        Optional<Concurrency> concurrency,
        Optional<JsonValue> inputSchema,
        Undeclared undeclared,
        Optional<TaskOptions.Cache> cache,
        Callers callers,
        boolean sameWorker,
        JsonValue env,
        Optional<Template> recovers) {
    /** Nothing asked for. */
    public static final FlowOptions NONE = new FlowOptions(
            JsonValue.EMPTY_OBJECT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            false);

    /** What becomes of inputs that are not declared. */
    public enum Undeclared {
        /** The run is refused. */
        REFUSED,
        /** The run has them. Inputs that are neither given nor have a default are then left out instead of being null. */
        KEPT,
        /** The run is without them. */
        IGNORED
    }

    public FlowOptions {
        requireNonNull(variables, "variables");
        requireNonNull(onFailure, "onFailure");
        requireNonNull(failureFlow, "failureFlow");
        requireNonNull(timeout, "timeout");
        requireNonNull(concurrency, "concurrency");
        requireNonNull(inputSchema, "inputSchema");
        requireNonNull(undeclared, "undeclared");
        requireNonNull(cache, "cache");
        requireNonNull(callers, "callers");
        requireNonNull(env, "env");
        requireNonNull(recovers, "recovers");
    }

    /** Without a way to recover from a failure. */
    public FlowOptions(
            JsonValue variables,
            Optional<StepList> onFailure,
            Optional<FailureFlow> failureFlow,
            Optional<Duration> timeout,
            int priority,
            Optional<Concurrency> concurrency,
            Optional<JsonValue> inputSchema,
            boolean inputOpen,
            Optional<TaskOptions.Cache> cache,
            Callers callers,
            boolean sameWorker,
            JsonValue env) {
        this(
                variables,
                onFailure,
                failureFlow,
                timeout,
                priority,
                concurrency,
                inputSchema,
                inputOpen ? Undeclared.KEPT : Undeclared.REFUSED,
                cache,
                callers,
                sameWorker,
                env,
                Optional.empty());
    }

    /** Without a cache, with callers that are not treated in any special way, and on whatever workers. */
    public FlowOptions(
            JsonValue variables,
            Optional<StepList> onFailure,
            Optional<String> failureFlow,
            Optional<Duration> timeout,
            int priority,
            Optional<Concurrency> concurrency,
            Optional<JsonValue> inputSchema,
            boolean inputOpen) {
        this(
                variables,
                onFailure,
                failureFlow.map(path -> new FailureFlow(path, FailureFlow.Given.FAILURE)),
                timeout,
                priority,
                concurrency,
                inputSchema,
                inputOpen,
                Optional.empty(),
                Callers.NONE,
                false,
                JsonValue.EMPTY_OBJECT);
    }

    /** The same for other callers. */
    public FlowOptions with(Callers others) {
        return new FlowOptions(
                variables,
                onFailure,
                failureFlow,
                timeout,
                priority,
                concurrency,
                inputSchema,
                undeclared,
                cache,
                others,
                sameWorker,
                env,
                recovers);
    }

    /** The same in an environment. */
    public FlowOptions in(JsonValue environment) {
        return new FlowOptions(
                variables,
                onFailure,
                failureFlow,
                timeout,
                priority,
                concurrency,
                inputSchema,
                undeclared,
                cache,
                callers,
                sameWorker,
                environment,
                recovers);
    }

    /** The same on one worker. */
    public FlowOptions onSameWorker() {
        return new FlowOptions(
                variables,
                onFailure,
                failureFlow,
                timeout,
                priority,
                concurrency,
                inputSchema,
                undeclared,
                cache,
                callers,
                true,
                env,
                recovers);
    }

    /** The same, without inputs that are not declared. */
    public FlowOptions ignoringUndeclared() {
        return new FlowOptions(
                variables,
                onFailure,
                failureFlow,
                timeout,
                priority,
                concurrency,
                inputSchema,
                Undeclared.IGNORED,
                cache,
                callers,
                sameWorker,
                env,
                recovers);
    }

    /**
     * How those that submit runs are treated.
     *
     * @param earlyReturn id of the step of the flow whose result a waiting caller gets while the run goes on; absent for its end
     * @param debounce merges runs that are submitted close together
     */
    public record Callers(Optional<String> earlyReturn, Optional<Debounce> debounce) {
        /** Waiting callers get the end of the run, and each submission is a run. */
        public static final Callers NONE = new Callers(Optional.empty(), Optional.empty());

        public Callers {
            requireNonNull(earlyReturn, "earlyReturn");
            requireNonNull(debounce, "debounce");
        }
    }

    /**
     * Submissions that come close together are one run, with the input of the last, but for the inputs that are gathered from all.
     *
     * @param delay how long the run waits for a further submission
     * @param key submissions with the same key are merged; a text over {@code inputs}
     * @param delayMax longest time from the first submission until the run may begin; absent for no limit
     * @param accumulate names of inputs that are arrays: the run gets the elements of all, in the order of the submissions
     */
    public record Debounce(Duration delay, Template key, Optional<Duration> delayMax, List<String> accumulate) {
        public Debounce {
            requireNonNull(key, "key");
            accumulate = List.copyOf(accumulate);
            requireNonNull(delayMax, "delayMax");
            if (!delay.isPositive()) {
                throw new IllegalArgumentException("delay: " + delay + " (expected: a positive duration)");
            }
        }
    }

    /**
     * A limit on runs; others wait in the order they came.
     *
     * @param max how many go on at the same time; absent for no such limit
     * @param rate how many begin in some time; absent for no such limit
     * @param key runs with the same key share the limit; a text over {@code inputs}
     */
    public record Concurrency(OptionalInt max, Optional<JobLimit.Rate> rate, Template key) {
        public Concurrency {
            requireNonNull(max, "max");
            requireNonNull(rate, "rate");
            requireNonNull(key, "key");
            if (max.isEmpty() && rate.isEmpty()) {
                throw new IllegalArgumentException("concurrency has neither max nor rate (expected: one of them)");
            }
            if (max.isPresent() && max.getAsInt() < 1) {
                throw new IllegalArgumentException("max: " + max.getAsInt() + " (expected: at least 1)");
            }
        }

        /** A limit on runs at the same time only. */
        public Concurrency(int max, Template key) {
            this(OptionalInt.of(max), Optional.empty(), key);
        }
    }
}
