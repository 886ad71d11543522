package dev.millrace.handler.sql;

import dev.millrace.tls.BoundedConnection;
import dev.millrace.tls.CheckedSockets;

/** Sockets of connections to PostgreSQL. The driver makes the factory by its name. */
public final class PostgresSockets extends CheckedSockets {
    /** A fetch with what the protocol adds to its values: lengths of fields, names of columns, notices. */
    static final int ANSWER_BYTES_MAX = 3 * SqlConnections.FETCH_BYTES_MAX;

    /**
     * Largest message that is no row, such as a notice. The driver keeps a buffer of this size as long as the
     * connection lasts.
     */
    static final int OTHER_BYTES_MAX = 1 << 20;

    /** @param connection its name */
    public PostgresSockets(String connection) {
        super(BoundedConnection.named(connection), ANSWER_BYTES_MAX, OTHER_BYTES_MAX);
    }
}
