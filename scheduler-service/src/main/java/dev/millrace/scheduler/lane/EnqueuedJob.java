package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.time.Duration;
import java.util.Optional;

/**
 * A job that enters the queue.
 *
 * @param lease present if the same transaction leases the job to a worker
 * @param delay wait before the job may begin
 * @param held whether the job's run is paused
 * @param flowVersion for the root job of a flow, its number of transitions; absent for other jobs and for pending runs
 * @param admissionQueue key of the queue in which a run waits for its admission; absent if it waits for none
 */
public record EnqueuedJob(
        QueuedJob job,
        Json input,
        Optional<LeasedJob> lease,
        Optional<Duration> delay,
        boolean held,
        Optional<Long> flowVersion,
        Optional<String> admissionQueue) {
    public EnqueuedJob(
            QueuedJob job,
            Json input,
            Optional<LeasedJob> lease,
            Optional<Duration> delay,
            boolean held,
            Optional<Long> flowVersion) {
        this(job, input, lease, delay, held, flowVersion, Optional.empty());
    }

    JobState state() {
        if (flowVersion.isPresent()) {
            return JobState.FLOW_RUNNING;
        }
        if (job.kind() == JobKind.FLOW) {
            return JobState.TO_START;
        }
        if (delay.isPresent()) {
            return JobState.DELAYED;
        }
        if (held) {
            return JobState.HELD;
        }
        return lease.isPresent() ? JobState.LEASED : JobState.QUEUED;
    }

    /** Whether any worker may claim the job now. */
    boolean waits() {
        return state() == JobState.QUEUED
                && job.isClaimable()
                && !job.group().filter(JobGroup::isUndecided).isPresent();
    }
}
