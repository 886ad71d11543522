package dev.millrace.scheduler.lane;

import java.sql.SQLException;

/** The database answered, and refused a flush: nothing of it has happened. */
final class FlushRefused extends Exception {
    /** Classes of SQLSTATE for values that the database cannot take, for example JSON that is none. */
    private static final String DATA_EXCEPTION = "22";

    private final String sqlState;

    FlushRefused(SQLException cause) {
        super(cause.getMessage(), cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** Whether a value was the reason, so that trying again cannot help. */
    boolean isBadValue() {
        return sqlState.startsWith(DATA_EXCEPTION);
    }
}
