package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.JobsStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Lets jobs that this flush has enqueued wait in the queues of their limits. */
record QueueForLimitStatement(List<QueuedJob> jobs) implements JobsStatement {
    static final Section<QueuedJob, QueueForLimitStatement> SECTION =
            new Section<>(FlushOrder.QUEUE_FOR_LIMIT, QueueForLimitStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with queued as (
                update job_queue q
                set released_tag = q.tag, tag = p.limit_queue, limit_queue = p.limit_queue, limit_max = p.jobs_max, limit_count = p.rate_count, limit_millis = p.rate_millis
                from $rows(bucket int4, id uuid, limit_queue text, jobs_max int8, rate_count int8, rate_millis int8) as p
                where q.bucket = p.bucket and q.id = any (array[p.id])
                returning 1
            )
            select expect_rows('queue_for_limit', ?, (select count(*) from queued))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        JobsStatement.super.bind(binder);
        binder.texts(jobs, QueuedJob::queueTag);
        binder.optionalNumbers(jobs, job -> number(limitOf(job).max()));
        binder.optionalNumbers(
                jobs,
                job -> limitOf(job).rate().map(rate -> (long) rate.count()).orElse(null));
        binder.optionalNumbers(
                jobs,
                job -> limitOf(job).rate().map(rate -> rate.per().toMillis()).orElse(null));
        binder.number(jobs.size());
    }

    private static JobLimit limitOf(QueuedJob job) {
        return job.options().limit().orElseThrow();
    }

    private static @Nullable Long number(OptionalInt value) {
        return value.isPresent() ? (long) value.getAsInt() : null;
    }
}
