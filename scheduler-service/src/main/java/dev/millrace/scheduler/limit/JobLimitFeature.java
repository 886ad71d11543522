package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.HashSet;
import java.util.Set;

/** Lets jobs under a limit wait in the queue of their key until {@link ConcurrencyLimiter} releases them. */
public final class JobLimitFeature implements LaneFeature {
    private final FlushPlan plan;
    /** Lines, by their tags, that may advance, or have grown. */
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
    public void requeued(QueuedJob job) {
        if (job.options().limit().isPresent()) {
            plan.add(RequeueForLimitStatement.SECTION, job);
        }
    }

    @Override
    public void written(Effects effects) {
        grown(effects, plan.rows(QueueForLimitStatement.SECTION));
        grown(effects, plan.rows(RequeueForLimitStatement.SECTION));
    }

    /** Lines may advance where a job has left its place, or has begun under a rate; and have grown where one was put. */
    @Override
    public void written(Effects effects) {
        plan.rows(ParkJobsStatement.SECTION).forEach(job -> changed.add(job.queueTag()));
        plan.rows(ParkAgainStatement.SECTION).forEach(job -> changed.add(job.queueTag()));
        for (LeaseReceiver.Delivery claimed : plan.jobs().claimed()) {
            QueuedJob job = claimed.lease().job();
            if (job.options().limit().flatMap(JobLimit::rate).isPresent()) {
                job.limitTag().ifPresent(changed::add);
            }
        }
        effects.ended().queueTags().stream().filter(JobLimit::isTag).forEach(changed::add);
        changed.addAll(effects.takeFreed(JobLimit::isTag));
        if (!changed.isEmpty()) {
            plan.publish(new LimitsChanged(changed));
        }
    }
}
