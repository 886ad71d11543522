package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/**
 * Statement whose rows are runs and what happens to them, each with the bucket and id of the run first.
 *
 * @param <R> a row
 */
public interface RunRowsStatement<R extends RunRowsStatement.RunRow> extends LaneStatement {
    /** A row about a run. */
    interface RunRow {
        RunId run();
    }

    List<R> runs();

    @Override
    default int rows() {
        return runs().size();
    }

    /** Binds the buckets and ids of the runs. A statement with more columns binds these afterwards. */
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.runs(runs(), RunRow::run);
    }
}
