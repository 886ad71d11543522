package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.WithdrawnStep;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;

/**
 * A run's waits for child runs, which are about to leave the queue.
 *
 * @param stepKey key of the only step whose wait leaves; absent if all waits of the run leave
 * @param begunHere see {@link WithdrawnStep}
 * @param begunAgain see {@link WithdrawnStep}
 */
record LeavingWaits(RunId run, Optional<String> stepKey, Optional<JobId> begunHere, List<JobId> begunAgain) {
    static LeavingWaits all(RunId run) {
        return new LeavingWaits(run, Optional.empty(), Optional.empty(), List.of());
    }

    static LeavingWaits of(WithdrawnStep step) {
        return new LeavingWaits(step.run(), Optional.of(step.stepKey()), step.begunHere(), step.begunAgain());
    }
}
