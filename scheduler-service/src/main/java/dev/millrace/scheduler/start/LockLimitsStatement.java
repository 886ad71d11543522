package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks the limits of runs that begin, in a fixed order. The following statements count again, so they see everything
 * that happened before under the same locks.
 */
record LockLimitsStatement(List<RunAdmission> admissions) implements AdmissionsStatement {
    static final Section<RunAdmission, LockLimitsStatement> SECTION =
            new Section<>(FlushOrder.LOCK_LIMITS, LockLimitsStatement::new);

    /** First key of the advisory locks of limits. Nothing else in the database uses this key. */
    private static final int LOCKS = 0x6c696d69;

    private static final RowsSql SQL = new RowsSql("""
            select pg_advisory_xact_lock(?::int4, hashtext(limit_key))
            from (select distinct limit_key from $rows(limit_key text) as t order by 1) as admissions
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.number(LOCKS);
        AdmissionsStatement.super.bind(binder);
    }
}
