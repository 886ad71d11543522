package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Statement whose rows are requests, each with the id of its run and its own id. */
public interface RunRequestsStatement extends LaneStatement {
    List<RunRequest> requests();

    @Override
    default int rows() {
        return requests().size();
    }

    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.uuids(requests(), request -> request.run().value());
        binder.texts(requests(), RunRequest::id);
    }
}
