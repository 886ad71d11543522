package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A run that begins under a limit.
 *
 * @param runsMax most runs that go on at a time, this one included; absent for no such limit
 * @param rate how many runs begin in some time, this one included; absent for no such limit
 */
record RunAdmission(String limitKey, RunId run, OptionalInt runsMax, Optional<JobLimit.Rate> rate) {
    /** Whether the limit is about how many go on at a time, among other things. */
    boolean isCounted() {
        return runsMax.isPresent();
    }

    /** Whether the limit is about how many begin in some time, among other things. */
    boolean isRated() {
        return rate.isPresent();
    }
}
