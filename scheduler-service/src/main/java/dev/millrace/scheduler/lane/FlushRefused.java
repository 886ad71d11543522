package dev.millrace.scheduler.lane;

import java.sql.SQLException;

/** The database answered, and refused a flush: nothing of it has happened. */
public final class FlushRefused extends Exception {
    /** Class of SQLSTATE for values that the database cannot take, for example JSON that is none. */
    private static final String DATA_EXCEPTION = "22";
    /** Class of SQLSTATE for values that are beyond what the database can handle, for example JSON that nests too deeply for its stack. */
    private static final String LIMIT_EXCEEDED = "54";

    /** SQLSTATE of the function {@code expect_sessions_held}. */
    private static final String SESSIONS_MOVED = "MR002";

    private final String sqlState;

    FlushRefused(SQLException cause) {
        super(cause.getMessage(), cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** Whether it leased jobs to a session that another scheduler holds now. */
    boolean hasMovedSessions() {
        return sqlState.equals(SESSIONS_MOVED);
    }

    /** Whether a value was the reason, so that trying again cannot help. */
    boolean isBadValue() {
        return sqlState.startsWith(DATA_EXCEPTION) || sqlState.startsWith(LIMIT_EXCEEDED);
    }

    /** What the database says, in short. */
    String firstLine() {
        String message = getMessage() == null ? "it gave no reason" : getMessage();
        return message.lines().findFirst().orElse("").replaceFirst("^ERROR: ", "");
    }
}
