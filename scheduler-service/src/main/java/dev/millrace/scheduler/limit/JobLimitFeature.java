package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.List;

/** Lets jobs under a limit wait in the queue of their key until {@link ConcurrencyLimiter} releases them. */
public final class JobLimitFeature implements LaneFeature {
    private final FlushPlan plan;

    public JobLimitFeature(FlushPlan plan) {
        this.plan = plan;
    }

    @Override
    public void queued(QueuedJob job) {
        if (job.options().limit().isPresent()) {
            plan.add(ParkJobsStatement.SECTION, job);
        }
    }

    @Override
    public void requeued(QueuedJob job) {
        if (job.options().limit().isPresent()) {
            plan.add(ParkAgainStatement.SECTION, job);
        }
    }

    @Override
    public void written(Effects effects) {
        grown(effects, plan.rows(ParkJobsStatement.SECTION));
        grown(effects, plan.rows(ParkAgainStatement.SECTION));
    }

    private static void grown(Effects effects, List<QueuedJob> jobs) {
        effects.limitsChanged(jobs.stream().map(QueuedJob::queueTag).toList());
    }
}
