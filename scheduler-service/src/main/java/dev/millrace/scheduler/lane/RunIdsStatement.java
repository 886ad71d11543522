package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;

/** Statement that receives runs as one array of ids. */
public interface RunIdsStatement extends RunsStatement {
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.array(runs(), RunId::value);
    }
}
