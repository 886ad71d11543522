package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;

/**
 * A live step that is to leave the queue.
 *
 * @param reason with which it leaves a row of history as canceled; absent where it leaves none
 * @param begunHere its row, where the same batch has put that into the queue; absent where it was there before
 * @param begunAgain what the same batch has put into the queue under its key where it was there before, and what stays
 */
record WithdrawnStep(
        RunId run, String stepKey, Optional<JobError> reason, Optional<JobId> begunHere, List<JobId> begunAgain) {}
