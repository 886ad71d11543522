package dev.millrace.scheduler.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Evicts connections to a server that rejects writes. After a failover the old primary may still answer, and
 * connections to it would otherwise stay in the pool.
 */
public final class ReadOnlyEviction implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return DatabaseErrors.READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
