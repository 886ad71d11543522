package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/** Statement whose rows are runs, each with its bucket and id. */
public interface RunsStatement extends LaneStatement {
    List<RunId> runs();

    @Override
    default int rows() {
        return runs().size();
    }

    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.runs(runs());
    }
}
