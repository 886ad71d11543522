package dev.millrace.scheduler.lane;

/** Thrown if the connection breaks: statements in progress may have been executed or not. */
public final class DatabaseLost extends Exception {
    DatabaseLost(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
