package dev.millrace.scheduler.database;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;

/** Turns what the driver reports into the scheduler's errors. SQL states: Postgres manual, appendix A. */
public final class DatabaseErrors {
    private static final int SERVER_VERSION_MIN = 14;
    private static final String INVALID_PASSWORD = "28P01";
    private static final String INVALID_AUTHORIZATION = "28000";
    private static final String NO_SUCH_DATABASE = "3D000";

    private DatabaseErrors() {}

    /** The failure as one of ours: unavailable where asking again later may help, internal otherwise. */
    public static MillraceException translate(Throwable failure) {
        if (failure instanceof MillraceException ours) {
            return ours;
        }
        return isUnavailable(failure)
                ? new MillraceException(
                        ErrorCode.DATABASE_UNAVAILABLE,
                        "The database does not answer; the request was not carried out. Try again.",
                        failure)
                : new MillraceException(ErrorCode.INTERNAL, "A database statement failed.", failure);
    }

    /** Whether the cause is the connection or the server's state, not the statement. */
    public static boolean isUnavailable(Throwable failure) {
        return sqlCause(failure)
                .map(cause -> cause instanceof SQLTransientConnectionException || isUnavailable(cause.getSQLState()))
                .orElse(false);
    }

    /** Connection exceptions (08), resources (53), operator intervention such as shutdown (57), read-only after a failover (25006). */
    private static boolean isUnavailable(@org.jspecify.annotations.Nullable String state) {
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("53")
                        || state.startsWith("57P")
                        || state.equals("25006"));
    }

    static MillraceException unreachable(DatabaseLocation location, SQLException failure) {
        String where = location.describe();
        String state = Optional.ofNullable(failure.getSQLState()).orElse("");
        String sentence = switch (state) {
            case INVALID_PASSWORD, INVALID_AUTHORIZATION ->
                "Postgres at " + where + " refuses the user or password: correct them in millrace.database.url.";
            case NO_SUCH_DATABASE ->
                "Postgres answers, but there is no database " + where
                        + ": create it, or correct millrace.database.url.";
            default ->
                "No database answers at " + where
                        + ": check that Postgres is running and that millrace.database.url (or DATABASE_URL) is right. Reason: "
                        + failure.getMessage();
        };
        return new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, sentence, failure);
    }

    static void requireServerVersion(int major) {
        if (major < SERVER_VERSION_MIN) {
            throw new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "Postgres " + major + " is too old: Millrace needs version " + SERVER_VERSION_MIN + " or newer.");
        }
    }

    private static Optional<SQLException> sqlCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }
}
