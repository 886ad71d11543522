package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptDecision.Requeue;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.HashSet;
import java.util.Set;

/** Lets jobs under a limit wait in the queue of their key until {@link ConcurrencyLimiter} releases them. */
public final class JobLimitFeature implements LaneFeature {
    private final FlushPlan plan;
    /** Tags of queues that may advance, or have grown. */
    private final Set<String> changed = new HashSet<>();

    public JobLimitFeature(FlushPlan plan) {
        this.plan = plan;
    }

    @Override
    public void queued(QueuedJob job) {
        if (job.options().limit().isPresent()) {
            plan.add(QueueForLimitStatement.SECTION, job);
        }
    }

    @Override
    public void requeued(QueuedJob job, Requeue requeue, long runMicros, String workerName) {
        if (job.options().limit().isPresent()) {
            plan.add(RequeueForLimitStatement.SECTION, job);
        }
    }

    @Override
    public void jobEnds(LeasedJob lease, AttemptResult result, String workerName) {
        lease.job().limitTag().ifPresent(changed::add);
    }

    /** A queue may advance if one of its jobs has ended or has begun under a rate. It has grown if a job was added. */
    @Override
    public void written(Effects effects) {
        plan.rows(QueueForLimitStatement.SECTION).forEach(job -> changed.add(job.queueTag()));
        plan.rows(RequeueForLimitStatement.SECTION).forEach(job -> changed.add(job.queueTag()));
        for (LeaseReceiver.Delivery claimed : plan.jobs().claimed()) {
            QueuedJob job = claimed.lease().job();
            if (job.options().limit().flatMap(JobLimit::rate).isPresent()) {
                job.limitTag().ifPresent(changed::add);
            }
        }
        for (String tag : effects.ended().queueTags()) {
            if (JobLimit.isTag(tag)) {
                changed.add(tag);
            }
        }
        changed.addAll(effects.takeFreed(JobLimit::isTag));
        if (!changed.isEmpty()) {
            plan.publish(new LimitsChanged(changed));
        }
    }
}
