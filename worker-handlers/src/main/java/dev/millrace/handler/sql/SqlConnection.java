package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.AnswerLimit;
import dev.millrace.tls.BoundedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * An open connection.
 *
 * @param key who may use it
 * @param connection the connection
 * @param reads bounds what is read for one row
 * @param bounds turns of connections to PostgreSQL that read large answers
 * @param openedNanos when it was opened, by the clock of its owner
 */
record SqlConnection(
        ConnectionKey key, Connection connection, AnswerLimit reads, BoundedConnection bounds, long openedNanos) {
    SqlConnection {
        requireNonNull(key, "key");
        requireNonNull(connection, "connection");
        requireNonNull(reads, "reads");
        requireNonNull(bounds, "bounds");
    }

    /** Closes the connection. That may fail on a broken one, which is gone as well. */
    void close() {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // There is nothing to close.
        }
        bounds.close();
    }
}
