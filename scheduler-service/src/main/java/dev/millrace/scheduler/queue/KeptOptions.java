package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a run that stay with it beside its root job, for everyone who continues, repeats or reads the run. They travel as one value: an
 * option more is a component here and a column in {@link KeptOptionColumn}.
 *
 * @param env of a flow: laid over its environment, checked; absent for none
 * @param limit of a run of one job, which its root job loses when it ends; absent for none
 * @param startWithin longest time from the acceptance of the run to its start, in whole milliseconds; absent for none
 */
public record KeptOptions(Optional<Json> env, Optional<JobLimit> limit, Optional<Duration> startWithin) {
    public static final KeptOptions NONE = new KeptOptions(Optional.empty(), Optional.empty(), Optional.empty());

    public KeptOptions {
        requireNonNull(env, "env");
        requireNonNull(limit, "limit");
        requireNonNull(startWithin, "startWithin");
    }

    /** Whether there is nothing to keep. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** The same with the limit of the root job. */
    KeptOptions with(Optional<JobLimit> ofRoot) {
        return new KeptOptions(env, ofRoot, startWithin);
    }
}
