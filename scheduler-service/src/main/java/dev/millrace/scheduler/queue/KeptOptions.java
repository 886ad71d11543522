package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunStarter;
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
 */
public record KeptOptions(
        Optional<Json> env, Optional<JobLimit> limit, Optional<Duration> startWithin, Optional<RunStarter> starter) {
    public static final KeptOptions NONE =
            new KeptOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public KeptOptions {
        requireNonNull(env, "env");
        requireNonNull(limit, "limit");
        requireNonNull(startWithin, "startWithin");
        requireNonNull(starter, "starter");
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
        return starter.equals(other) ? this : new KeptOptions(env, limit, startWithin, other);
    }

    /** Returns these options with the limit of the root job. */
    KeptOptions with(Optional<JobLimit> ofRoot) {
        return limit.equals(ofRoot) ? this : new KeptOptions(env, ofRoot, startWithin, starter);
    }
}
