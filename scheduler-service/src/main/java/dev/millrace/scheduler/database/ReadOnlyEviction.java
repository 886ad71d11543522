package dev.millrace.scheduler.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Removes connections from the pool that lead to a server which takes no changes. After a failover the old primary may still answer, and what
 * was connected to it would stay so.
 */
public final class ReadOnlyEviction implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return DatabaseErrors.READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
