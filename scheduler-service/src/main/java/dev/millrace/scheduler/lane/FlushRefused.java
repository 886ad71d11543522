package dev.millrace.scheduler.lane;

import java.sql.SQLException;

/** Thrown if the database rejects a flush. No part of the flush has taken effect. */
public final class FlushRefused extends Exception {
    /** Class of the SQL states for invalid values, such as malformed JSON. */
    private static final String DATA_EXCEPTION = "22";
    /**
     * Class of the SQL states for values that the database cannot handle, such as JSON that is nested too deeply for
     * its stack.
     */
    private static final String TOO_COMPLEX = "54";

    /** SQL state of the function {@code expect_sessions_held}. */
    private static final String SESSIONS_MOVED = "MR002";

    private final String sqlState;

    FlushRefused(SQLException cause) {
        super(cause.getMessage(), cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** Whether the flush leased jobs to a session that another scheduler holds now. */
    boolean hasMovedSessions() {
        return sqlState.equals(SESSIONS_MOVED);
    }

    /** Whether the database rejected a value, so that a retry cannot help. */
    public boolean isBadValue() {
        return sqlState.startsWith(DATA_EXCEPTION) || sqlState.startsWith(TOO_COMPLEX);
    }

    /** First line of the database's message. */
    public String firstLine() {
        String message = getMessage() == null ? "it gave no reason" : getMessage();
        return message.lines().findFirst().orElse("").replaceFirst("^ERROR: ", "");
    }
}
