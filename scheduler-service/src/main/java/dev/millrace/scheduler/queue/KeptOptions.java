package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.RunTrigger;
import dev.millrace.scheduler.queue.core.StepInput;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a run that are kept apart from its root job, for code that continues, repeats or reads the run. They are
 * passed as one value: a new option is a component here and a column in {@link KeptOptionColumn}.
 *
 * @param env validated variables that override the environment of a flow; absent for none
 * @param limit limit of a run of one job, kept because the root job loses it at its end; absent for none
 * @param startWithin maximum time from the acceptance of the run to its start, in whole milliseconds; absent for none
 * @param starter who started the run; absent if that was a caller without a token
 * @param trigger trigger that started the run; absent for none
 * @param stepInput input of a step, in place of the one that the flow computes; absent for none
 */
public record KeptOptions(
        Optional<Json> env,
        Optional<JobLimit> limit,
        Optional<Duration> startWithin,
        Optional<RunStarter> starter,
        Optional<RunTrigger> trigger,
        Optional<StepInput> stepInput) {
    public static final KeptOptions NONE =
            new KeptOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public KeptOptions {
        requireNonNull(env, "env");
        requireNonNull(limit, "limit");
        requireNonNull(startWithin, "startWithin");
        requireNonNull(starter, "starter");
        requireNonNull(trigger, "trigger");
        requireNonNull(stepInput, "stepInput");
    }

    /** Options of a run that no trigger starts, and whose steps have the inputs that its flow computes. */
    public KeptOptions(
            Optional<Json> env,
            Optional<JobLimit> limit,
            Optional<Duration> startWithin,
            Optional<RunStarter> starter) {
        this(env, limit, startWithin, starter, Optional.empty(), Optional.empty());
    }

    /** The name of whoever started the run. */
    public Optional<String> startedBy() {
        return starter.map(RunStarter::name);
    }

    /** Whether there is nothing to keep. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** Returns the options of a run that somebody else starts from this one. */
    public KeptOptions startedBy(Optional<RunStarter> other) {
        return starter.equals(other) && trigger.isEmpty()
                ? this
                : new KeptOptions(env, limit, startWithin, other, Optional.empty(), stepInput);
    }

    /** Returns these options for a run that a trigger starts. */
    KeptOptions with(RunTrigger starting) {
        return new KeptOptions(env, limit, startWithin, starter, Optional.of(starting), stepInput);
    }

    /** Returns these options with another input of a step, if one is given. */
    public KeptOptions withStepInput(Optional<StepInput> other) {
        return other.isEmpty() ? this : new KeptOptions(env, limit, startWithin, starter, trigger, other);
    }

    /** Returns these options with the limit of the root job. */
    KeptOptions with(Optional<JobLimit> ofRoot) {
        return limit.equals(ofRoot) ? this : new KeptOptions(env, ofRoot, startWithin, starter, trigger, stepInput);
    }
}
