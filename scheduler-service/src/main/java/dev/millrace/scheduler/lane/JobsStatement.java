package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/** Statement whose rows are jobs, each with its bucket and id first. */
public interface JobsStatement extends LaneStatement {
    List<QueuedJob> jobs();

    @Override
    default int rows() {
        return jobs().size();
    }

    /** Binds the buckets and ids. A statement with more columns binds these afterwards. */
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.jobs(jobs(), QueuedJob::id);
    }
}
