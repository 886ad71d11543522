package dev.millrace.scheduler.lane;

/** The connection broke: what was under way may have happened or not. */
public final class DatabaseLost extends Exception {
    DatabaseLost(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
