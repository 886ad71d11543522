package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The policy of a step, independent of what the step does. The components are in the order in which the machine applies
 * them.
 *
 * @param skip leaves the step out; absent if it always runs
 * @param mock result that the step takes instead of running; absent to run
 * @param delay wait before the step begins: a number of seconds, or a duration such as {@code 5m}; absent for none
 * @param timeout of a container: longest time from its beginning to its end, retries included
 * @param retry of a container: how it begins again after a failure, with everything inside it. A task has its retry
 *     policy in its own options
 * @param retryIf decides, with access to the error, whether a failed attempt is retried. The queue evaluates no
 *     expressions, so the machine retries such a task: {@link #ofTask} copies the task's retry policy to this record
 * @param stops checked in order after the step has succeeded, with access to its result
 * @param onFailure what a failure of the step means for the list around it
 * @param sameWorker of a container: whether one worker runs all tasks inside it, which then share a folder
 * @param beginIf if truthy, the step begins before all the steps it needs have ended. Evaluated each time one of those
 *     steps ends, after everything else that follows from the same event. Absent if the step waits for all of them
 */
public record StepPolicy(
        Optional<Skip> skip,
        Optional<Template> mock,
        Optional<Template> delay,
        Optional<Duration> timeout,
        RetryPolicy retry,
        Optional<Template> retryIf,
        List<Stop> stops,
        OnFailure onFailure,
        boolean sameWorker,
        Optional<Template> beginIf) {
    /** Default policy: none of the above. */
    public static final StepPolicy NONE = new StepPolicy(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RetryPolicy.NONE,
            Optional.empty(),
            List.of(),
            OnFailure.FAIL,
            false,
            Optional.empty());

    public StepPolicy {
        requireNonNull(skip, "skip");
        requireNonNull(mock, "mock");
        requireNonNull(delay, "delay");
        requireNonNull(timeout, "timeout");
        requireNonNull(retry, "retry");
        requireNonNull(retryIf, "retryIf");
        stops = List.copyOf(stops);
        requireNonNull(onFailure, "onFailure");
        requireNonNull(beginIf, "beginIf");
    }

    /** Creates a policy without worker affinity, for a step that waits for all steps it needs. */
    public Builder change() {
        return new Builder(this);
    }

    /**
     * Returns the policy of a hooked task with these options. The task's retry policy becomes that of the whole step.
     */
    public StepPolicy around(TaskOptions options) {
        return change().retry(options.retry()).build();
    }

    /** Returns the policy that the machine applies to a task with these options. */
    public StepPolicy ofTask(TaskOptions options) {
        return retryIf.isEmpty() ? this : around(options);
    }

    /** Returns this policy with the shorter of its timeout and another one. */
    public StepPolicy within(Optional<Duration> limit) {
        Optional<Duration> shorter =
                Stream.concat(timeout.stream(), limit.stream()).min(Comparator.naturalOrder());
        return change().timeout(shorter).build();
    }

    /** Returns this policy with another {@code retryIf}. */
    public StepPolicy withRetryIf(Optional<Template> condition) {
        return change().retryIf(condition).build();
    }

    /** Returns this policy with another {@code beginIf}. */
    public StepPolicy beginningIf(Optional<Template> condition) {
        return change().beginIf(condition).build();
    }

    /** Returns this policy with the given worker affinity. */
    public StepPolicy onSameWorker(boolean wanted) {
        return wanted == sameWorker ? this : change().sameWorker(wanted).build();
    }

    /**
     * Leaves a step out.
     *
     * @param when the step is left out if this is truthy
     * @param result result of a step that is left out
     */
    public record Skip(Template when, Template result) {}

    /**
     * Ends early the list of steps around the step, or something larger around it.
     *
     * @param when the end happens if this is truthy
     * @param failure message of the failure; absent to succeed with the result of the step
     * @param extent how much ends
     */
    public record Stop(Template when, Optional<Template> failure, Extent extent) {}

    /** How much an early end ends. */
    public enum Extent {
        /** The list of steps around the step: an iteration, a branch, a sub-flow or, outside of these, the run. */
        LIST,
        /**
         * The iteration, or the branch of a parallel step, around the step. Choices in between end with it; its
         * siblings continue. Outside of iterations and parallel branches, the sub-flow or the run.
         */
        BRANCH,
        /**
         * Like {@link #BRANCH}, and no further sibling iteration or branch begins. A loop then ends with the results so
         * far. A parallel step does so, too, and then ends what {@link StepAction.Parallel#stopped} names.
         */
        BRANCHES,
        /**
         * The innermost loop around the step, including branches in between. Both the iteration and the loop succeed,
         * the iteration with the result of the step, and no further iteration begins. Outside of loops, the sub-flow or
         * the run.
         */
        LOOP,
        /** The run. */
        RUN
    }

    /** What the failure of a step means for the list around it. */
    public enum OnFailure {
        /** The list fails after its running steps have ended. */
        FAIL,
        /** The list continues. The step results in {@code {"error": {name, message, stack, step_id}}}. */
        CONTINUE,
        /** Like {@link #CONTINUE}, but the list fails at its end. */
        FAIL_AT_END
    }

    /** Makes a policy out of others: what it is not told stays as it was. */
    public static final class Builder {
        private Optional<Skip> skip;
        private Optional<Template> mock;
        private Optional<Template> delay;
        private Optional<Duration> timeout;
        private RetryPolicy retry;
        private Optional<Template> retryIf;
        private List<Stop> stops;
        private OnFailure onFailure;
        private boolean sameWorker;
        private Optional<Template> beginIf;

        private Builder(StepPolicy from) {
            skip = from.skip;
            mock = from.mock;
            delay = from.delay;
            timeout = from.timeout;
            retry = from.retry;
            retryIf = from.retryIf;
            stops = from.stops;
            onFailure = from.onFailure;
            sameWorker = from.sameWorker;
            beginIf = from.beginIf;
        }

        public Builder skip(Optional<Skip> value) {
            skip = value;
            return this;
        }

        public Builder mock(Optional<Template> value) {
            mock = value;
            return this;
        }

        public Builder delay(Optional<Template> value) {
            delay = value;
            return this;
        }

        public Builder timeout(Optional<Duration> value) {
            timeout = value;
            return this;
        }

        public Builder retry(RetryPolicy value) {
            retry = value;
            return this;
        }

        public Builder retryIf(Optional<Template> value) {
            retryIf = value;
            return this;
        }

        public Builder stops(List<Stop> value) {
            stops = value;
            return this;
        }

        public Builder onFailure(OnFailure value) {
            onFailure = value;
            return this;
        }

        public Builder sameWorker(boolean value) {
            sameWorker = value;
            return this;
        }

        public Builder beginIf(Optional<Template> value) {
            beginIf = value;
            return this;
        }

        public StepPolicy build() {
            return new StepPolicy(skip, mock, delay, timeout, retry, retryIf, stops, onFailure, sameWorker, beginIf);
        }
    }
}
