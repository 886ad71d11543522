package dev.millrace.handler.sql;

import dev.millrace.tls.CheckedSockets;

/** Sockets of connections to PostgreSQL. The driver makes the factory by its name. */
public final class PostgresSockets extends CheckedSockets {
    /** A fetch with what the protocol adds to its values: lengths of fields, names of columns, notices. */
    static final int ANSWER_BYTES_MAX = 3 * SqlConnections.FETCH_BYTES_MAX;

    /** @param isPublicOnly {@code true} if the database must have a public address */
    public PostgresSockets(String isPublicOnly) {
        super(new SqlServerOptions(!Boolean.parseBoolean(isPublicOnly)).addressRule(), ANSWER_BYTES_MAX);
    }
}
