package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import java.sql.SQLException;
import java.util.List;

/**
 * Statement whose rows are changes of groups, each with the bucket and id of its run and the id of its group first.
 *
 * @param <C> a row
 */
interface GroupsStatement<C extends GroupChange> extends LaneStatement {
    List<C> groups();

    @Override
    default int rows() {
        return groups().size();
    }

    /** Binds the runs and ids of the groups. A statement with more columns binds these afterwards. */
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.runs(groups(), GroupChange::run);
        binder.uuids(groups(), GroupChange::id);
    }
}
