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
 * The options of a flow as a whole, beyond its steps.
 *
 * @param variables initial variables of a run, an object
 * @param onFailure steps that run after the flow has failed and before the run ends as failed; they can read
 *     {@code error}
 * @param failureFlow flow that starts after the run has failed; absent for none
 * @param timeout longest time from the beginning of a run to its end
 * @param priority of the jobs of all steps that name no priority
 * @param concurrency limit on how many runs may be in progress or begin within a period
 * @param inputSchema JSON Schema 2020-12 that the input must satisfy in addition to the declared inputs
 * @param undeclared what happens to inputs that a run passes and the flow does not declare
 * @param cache how the result of the whole flow is cached
 * @param callers how submissions of runs are treated
 * @param sameWorker whether one worker runs all steps, which then share a folder; excludes the steps of
 *     {@code onFailure}
 * @param env constants that all expressions of the flow can read, an object
 * @param recovers evaluated at the end of {@code onFailure}: if it is truthy, the run succeeds with the result of
 *     {@code onFailure}. Does not apply to a flow that runs inside another flow
 * @param triggers what starts runs of the flow, an object by section such as {@code schedules}; read when the flow is deployed
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
        Optional<Template> recovers,
        JsonValue triggers) {
    /** Default options. */
    public static final FlowOptions NONE = new FlowOptions(
            JsonValue.EMPTY_OBJECT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            Undeclared.REFUSED,
            Optional.empty(),
            Callers.NONE,
            false,
            JsonValue.EMPTY_OBJECT,
            Optional.empty(),
            JsonValue.EMPTY_OBJECT);

    /** What happens to inputs that a run passes and the flow does not declare. */
    public enum Undeclared {
        /** The run is rejected. */
        REFUSED,
        /**
         * The run keeps them. Declared inputs without a value and without a default are then absent instead of null.
         */
        KEPT,
        /** The run drops them. */
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
        requireNonNull(triggers, "triggers");
    }

    /** The same, to be changed in some components. */
    public Builder change() {
        return new Builder(this);
    }

    /** Returns these options with other callers. */
    public FlowOptions with(Callers others) {
        return change().callers(others).build();
    }

    /** Returns these options with another environment. */
    public FlowOptions in(JsonValue environment) {
        return change().env(environment).build();
    }

    /** Returns these options with all steps on one worker. */
    public FlowOptions onSameWorker() {
        return change().sameWorker(true).build();
    }

    /** Returns these options, dropping undeclared inputs. */
    public FlowOptions ignoringUndeclared() {
        return change().undeclared(Undeclared.IGNORED).build();
    }

    /**
     * How submissions of runs are treated.
     *
     * @param earlyReturn id of the step whose result a waiting caller receives while the run continues; absent if
     *     callers wait for the end of the run
     * @param debounce merges runs that are submitted shortly after one another; absent for no merging
     */
    public record Callers(Optional<String> earlyReturn, Optional<Debounce> debounce) {
        /** Waiting callers receive the result of the run, and each submission creates a run. */
        public static final Callers NONE = new Callers(Optional.empty(), Optional.empty());

        public Callers {
            requireNonNull(earlyReturn, "earlyReturn");
            requireNonNull(debounce, "debounce");
        }
    }

    /**
     * Merges submissions that follow one another closely into one run. The run takes the input of the last submission,
     * except for the inputs that accumulate.
     *
     * @param delay how long the run waits for another submission
     * @param key submissions with the same key are merged; a text over {@code inputs}
     * @param delayMax longest time from the first submission until the run may begin; absent for no limit
     * @param accumulate names of array inputs whose elements are concatenated in the order of the submissions
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
     * A limit on runs. Runs above the limit wait in the order of their submission.
     *
     * @param max maximum number of runs in progress; absent for no such limit
     * @param rate maximum number of runs that begin within a period; absent for no such limit
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

        /** Creates a limit on the number of runs in progress. */
        public Concurrency(int max, Template key) {
            this(OptionalInt.of(max), Optional.empty(), key);
        }
    }

    /** Makes options out of others: what it is not told stays as it was. */
    public static final class Builder {
        private JsonValue variables;
        private Optional<StepList> onFailure;
        private Optional<FailureFlow> failureFlow;
        private Optional<Duration> timeout;
        private int priority;
        private Optional<Concurrency> concurrency;
        private Optional<JsonValue> inputSchema;
        private Undeclared undeclared;
        private Optional<TaskOptions.Cache> cache;
        private Callers callers;
        private boolean sameWorker;
        private JsonValue env;
        private Optional<Template> recovers;
        private JsonValue triggers;

        private Builder(FlowOptions from) {
            variables = from.variables;
            onFailure = from.onFailure;
            failureFlow = from.failureFlow;
            timeout = from.timeout;
            priority = from.priority;
            concurrency = from.concurrency;
            inputSchema = from.inputSchema;
            undeclared = from.undeclared;
            cache = from.cache;
            callers = from.callers;
            sameWorker = from.sameWorker;
            env = from.env;
            recovers = from.recovers;
            triggers = from.triggers;
        }

        public Builder variables(JsonValue value) {
            variables = value;
            return this;
        }

        public Builder onFailure(Optional<StepList> value) {
            onFailure = value;
            return this;
        }

        public Builder failureFlow(Optional<FailureFlow> value) {
            failureFlow = value;
            return this;
        }

        public Builder timeout(Optional<Duration> value) {
            timeout = value;
            return this;
        }

        public Builder priority(int value) {
            priority = value;
            return this;
        }

        public Builder concurrency(Optional<Concurrency> value) {
            concurrency = value;
            return this;
        }

        public Builder inputSchema(Optional<JsonValue> value) {
            inputSchema = value;
            return this;
        }

        public Builder undeclared(Undeclared value) {
            undeclared = value;
            return this;
        }

        public Builder cache(Optional<TaskOptions.Cache> value) {
            cache = value;
            return this;
        }

        public Builder callers(Callers value) {
            callers = value;
            return this;
        }

        public Builder sameWorker(boolean value) {
            sameWorker = value;
            return this;
        }

        public Builder env(JsonValue value) {
            env = value;
            return this;
        }

        public Builder recovers(Optional<Template> value) {
            recovers = value;
            return this;
        }

        public Builder triggers(JsonValue value) {
            triggers = value;
            return this;
        }

        public FlowOptions build() {
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
                    env,
                    recovers,
                    triggers);
        }
    }
}
