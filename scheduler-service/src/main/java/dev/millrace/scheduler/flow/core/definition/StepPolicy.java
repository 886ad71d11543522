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
 * What happens around a step, whatever it does. In the order in which it is looked at:
 *
 * @param skip whether it is left out
 * @param mock taken for its result; nothing runs
 * @param delay wait before it begins: a number of seconds, or a duration such as {@code 5m}; absent for none
 * @param timeout longest time from its begin to its end, retries included; of a container
 * @param retry how a container that failed begins again, all inside it anew; a task has its retry in its own options
 * @param retryIf whether a failed attempt is tried again at all; sees the error. It is the machine that lets such a task begin again,
 *     since the queue knows no expressions: {@link #ofTask} moves its retry here
 * @param stops looked at in order once it has succeeded; sees its result
 * @param onFailure what its failure means for the list around it
 * @param sameWorker whether one worker runs all tasks inside of it, which share a folder there; of a container
 * @param beginIf where this is true as JavaScript understands it, the step begins although not all that it needs has ended; looked at each
 *     time one of them ends, once all else that follows from the same event is done. Absent where it waits for all
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
    /** Nothing happens around the step. */
    public static final StepPolicy NONE = new StepPolicy(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RetryPolicy.NONE,
            Optional.empty(),
            List.of(),
            OnFailure.FAIL);

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

    /** Of a step that asks for no worker to keep to, and waits for all that it needs. */
    public StepPolicy(
            Optional<Skip> skip,
            Optional<Template> mock,
            Optional<Template> delay,
            Optional<Duration> timeout,
            RetryPolicy retry,
            Optional<Template> retryIf,
            List<Stop> stops,
            OnFailure onFailure) {
        this(skip, mock, delay, timeout, retry, retryIf, stops, onFailure, false, Optional.empty());
    }

    /** As the machine follows it for a task with these options and others around it: the retry is that of the whole. */
    public StepPolicy around(TaskOptions options) {
        return new StepPolicy(
                skip, mock, delay, timeout, options.retry(), retryIf, stops, onFailure, sameWorker, beginIf);
    }

    /** As the machine follows it for a task with these options. */
    public StepPolicy ofTask(TaskOptions options) {
        return retryIf.isEmpty()
                ? this
                : new StepPolicy(
                        skip, mock, delay, timeout, options.retry(), retryIf, stops, onFailure, sameWorker, beginIf);
    }

    /** The same, but within a further limit on its time. */
    public StepPolicy within(Optional<Duration> limit) {
        Optional<Duration> shorter =
                Stream.concat(timeout.stream(), limit.stream()).min(Comparator.naturalOrder());
        return new StepPolicy(skip, mock, delay, shorter, retry, retryIf, stops, onFailure, sameWorker, beginIf);
    }

    /** The same but for {@code retryIf}. */
    public StepPolicy withRetryIf(Optional<Template> condition) {
        return new StepPolicy(skip, mock, delay, timeout, retry, condition, stops, onFailure, sameWorker, beginIf);
    }

    /** The same, but begun as soon as a condition holds. */
    public StepPolicy beginningIf(Optional<Template> condition) {
        return new StepPolicy(skip, mock, delay, timeout, retry, retryIf, stops, onFailure, sameWorker, condition);
    }

    /** The same, with all tasks inside on one worker where {@code wanted}. */
    public StepPolicy onSameWorker(boolean wanted) {
        return wanted == sameWorker
                ? this
                : new StepPolicy(skip, mock, delay, timeout, retry, retryIf, stops, onFailure, wanted, beginIf);
    }

    /**
     * Leaves a step out.
     *
     * @param when it is left out where this is true as JavaScript understands it
     * @param result what it results in then
     */
    public record Skip(Template when, Template result) {}

    /**
     * Ends the list of steps around the step, or the whole run, early.
     *
     * @param when it ends where this is true as JavaScript understands it
     * @param failure the message it fails with; absent where it ends well, with the result of the step
     * @param extent what ends
     */
    public record Stop(Template when, Optional<Template> failure, Extent extent) {}

    /** What an early end ends. */
    public enum Extent {
        /** The list of steps around the step: the iteration, the branch, the sub-flow or, outside of them, the run. */
        LIST,
        /**
         * The iteration or the branch of a parallel step around the step, choices between them included; those beside it go on. Outside of them,
         * the sub-flow or the run.
         */
        BRANCH,
        /**
         * As {@link #BRANCH}, and no further iteration or branch beside it begins. The loop then ends with the results so far, and so does the
         * parallel step, which ends what {@link StepAction.Parallel#stopped} says.
         */
        BRANCHES,
        /**
         * The innermost loop around the step, branches between them included: the iteration and the loop end well, the iteration with the
         * result of the step, and no further one begins. Outside of loops, the sub-flow or the run.
         */
        LOOP,
        /** The run. */
        RUN
    }

    /** What the failure of a step means for what is around it. */
    public enum OnFailure {
        /** The list around it fails once what is running there has ended. */
        FAIL,
        /** The list goes on; the step results in {@code {"error": {name, message, stack, step_id}}}. */
        CONTINUE,
        /** As {@link #CONTINUE}, but the list fails at its end. */
        FAIL_AT_END
    }
}
