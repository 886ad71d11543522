package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import java.sql.SQLException;
import java.util.List;

/** Statement whose rows are runs that begin under limits, each with the key of its limit first. */
interface AdmissionsStatement extends LaneStatement {
    List<RunAdmission> admissions();

    @Override
    default int rows() {
        return admissions().size();
    }

    /** Binds the keys of the limits. A statement with more columns binds these afterwards. */
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.texts(admissions(), RunAdmission::limitKey);
    }
}
