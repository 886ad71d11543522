package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A run that begins under a limit.
 *
 * @param runsMax maximum number of runs in progress, including this one; absent for no such limit
 * @param rate maximum number of runs that begin within a period, including this one; absent for no such limit
 */
record RunAdmission(String limitKey, RunId run, OptionalInt runsMax, Optional<JobLimit.Rate> rate) {
    /** Returns whether the limit restricts the number of runs in progress. */
    boolean isCounted() {
        return runsMax.isPresent();
    }

    /** Returns whether the limit restricts how many runs begin within a period. */
    boolean isRated() {
        return rate.isPresent();
    }
}
