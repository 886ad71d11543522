package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.operation.OperationFeature;
import dev.millrace.scheduler.option.RecordRunOptionsStatement;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * Cancels runs that have not started in time. A run has started once a worker has received one of its jobs, or a step
 * has ended. It has also started if a step waits for an event, a time or a child run.
 */
public final class StartDeadlineFeature implements LaneFeature {
    /** How long the run had to start, if its deadline has passed and it has not started. */
    private static final LaneQuery FIND_LATE = new LaneQuery("""
            select o.start_within_millis from run_option o
            where o.run_id = ? and o.start_by <= now()
              and not exists (select from job_queue q
                  where q.run_id = o.run_id
                    and (q.state + 0 = {JobState.LEASED} or q.attempt > 1 or q.kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN})))
              and not exists (select from job_history h where h.run_id = o.run_id)
            """);

    private final FlushPlan plan;

    public StartDeadlineFeature(FlushPlan plan) {
        this.plan = plan;
    }

    void cancel(CancelUnstartedRun command) throws DatabaseLost {
        RunId run = command.run();
        if (!plan.ends(run)) {
            Optional<Duration> missed = plan.store()
                    .db()
                    .first(FIND_LATE, row -> Duration.ofMillis(row.getLong("start_within_millis")), run.value());
            if (missed.isPresent() && plan.feature(OperationFeature.class).cancel(run, error(missed.get()))) {
                plan.add(CheckUnstartedStatement.SECTION, run);
            }
        }
        plan.afterCommit(() -> command.done().complete(null));
    }

    private static JobError error(Duration limit) {
        return JobError.permanent(
                "NotStarted", "The run was canceled: it had not started within " + Durations.text(limit) + ".");
    }

    @Override
    public void written(Effects effects) {
        if (plan.rows(RecordRunOptionsStatement.SECTION).stream()
                .anyMatch(row -> row.options().startWithin().isPresent())) {
            plan.publish(new StartDeadlineSet());
        }
    }
}
