package dev.millrace.scheduler.database;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates the driver's failures into the scheduler's errors. The SQL states are listed in the Postgres manual,
 * appendix A.
 */
public final class DatabaseErrors {
    private static final int SERVER_VERSION_MIN = 14;

    /** SQL state of a server that rejects writes, as during a failover. */
    public static final String READ_ONLY = "25006";

    /** Prefixes of the SQL states for which no statement is to blame. */
    private static final List<String> UNAVAILABLE_STATES = List.of(
            // Connection exceptions.
            "08",
            // Insufficient resources, such as a full disk or too many connections.
            "53",
            // Operator intervention: the server shuts down or starts.
            "57P",
            // System errors, such as an I/O error.
            "58",
            // A transaction rolled back because of others: a deadlock or a serialization failure.
            "40",
            // A lock that was not granted in time.
            "55P03",
            READ_ONLY);

    /**
     * SQL states by which a new connection learns that another one has its session: a prepared statement exists already,
     * or does not exist.
     */
    private static final List<String> SHARED_SESSION_STATES = List.of("42P05", "26000");

    private static final String INVALID_PASSWORD = "28P01";
    private static final String INVALID_AUTHORIZATION = "28000";
    private static final String NO_SUCH_DATABASE = "3D000";
    private static final String CHARACTER_NOT_IN_REPERTOIRE = "22021";
    private static final String UNTRANSLATABLE_CHARACTER = "22P05";
    /** Start of the driver's message if it rejects a parameter itself. */
    private static final String NUL_IN_PARAMETER = "Zero bytes may not occur in string parameters";

    private DatabaseErrors() {}

    /** Translates a failure: {@code DATABASE_UNAVAILABLE} if a retry may help, {@code INTERNAL} otherwise. */
    public static MillraceException translate(Throwable failure) {
        if (failure instanceof MillraceException ours) {
            return ours;
        }
        if (holdsNul(failure)) {
            return new MillraceException(
                    ErrorCode.INVALID_REQUEST,
                    "The request is invalid: a text in it holds the character NUL (U+0000), which the database can neither"
                            + " keep nor look for. Remove it.",
                    failure);
        }
        return isUnavailable(failure)
                ? new MillraceException(
                        ErrorCode.DATABASE_UNAVAILABLE,
                        "The database does not answer; the request was not carried out. Try again.",
                        failure)
                : new MillraceException(ErrorCode.INTERNAL, "A database statement failed.", failure);
    }

    /**
     * Whether the server or the driver rejected a text because it contains NUL, the only character that Postgres cannot
     * store.
     */
    private static boolean holdsNul(Throwable failure) {
        return sqlCauses(failure)
                .anyMatch(cause -> CHARACTER_NOT_IN_REPERTOIRE.equals(cause.getSQLState())
                        || UNTRANSLATABLE_CHARACTER.equals(cause.getSQLState())
                        || String.valueOf(cause.getMessage()).startsWith(NUL_IN_PARAMETER));
    }

    /** Whether the connection or the server's state is to blame, not the statement. */
    public static boolean isUnavailable(Throwable failure) {
        return sqlCauses(failure)
                .anyMatch(cause ->
                        cause instanceof SQLTransientConnectionException || isUnavailable(cause.getSQLState()));
    }

    /**
     * Whether this SQL state blames the connection or the server's state, so that the same statement may succeed later
     * or elsewhere.
     */
    public static boolean isUnavailable(@Nullable String state) {
        return state != null && UNAVAILABLE_STATES.stream().anyMatch(state::startsWith);
    }

    static MillraceException unreachable(DatabaseLocation location, SQLException failure) {
        String where = location.describe();
        String state = Optional.ofNullable(failure.getSQLState()).orElse("");
        if (SHARED_SESSION_STATES.contains(state)) {
            return sharedSessions(location);
        }
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

    /** Two open connections have the same session of Postgres. */
    static MillraceException sharedSessions(DatabaseLocation location) {
        return new MillraceException(
                ErrorCode.INVALID_CONFIG,
                "A connection pooler at " + location.describe()
                        + " gives several connections the same session of Postgres (PgBouncer: pool_mode transaction or"
                        + " statement). Millrace needs sessions of its own, for notifications, locks and prepared"
                        + " statements: set pool_mode = session for this database, or connect to Postgres directly.");
    }

    static void requireServerVersion(int major) {
        if (major < SERVER_VERSION_MIN) {
            throw new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "Postgres " + major + " is too old: Millrace needs version " + SERVER_VERSION_MIN + " or newer.");
        }
    }

    /** All of them, since libraries wrap the exception of the driver in others of that type, which have no state. */
    private static Stream<SQLException> sqlCauses(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast);
    }
}
