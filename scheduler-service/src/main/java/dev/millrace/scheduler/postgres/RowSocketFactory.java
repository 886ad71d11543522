package dev.millrace.scheduler.postgres;

import dev.millrace.tls.BoundedConnection;
import dev.millrace.tls.CheckedSockets;

/** Sockets of connections that read rows. The Postgres driver makes the factory by its name. */
public final class RowSocketFactory extends CheckedSockets {
    /**
     * An answer that is as large as the driver holds, with what the protocol adds to its values. Twice this must fit into a small
     * heap, because the driver doubles its buffer until a message fits that is longer.
     */
    static final int ANSWER_BYTES_MAX = OutboxStore.RESULT_BYTES_MAX + (4 << 20);

    /**
     * Largest message that is no row. The statements have few columns, notifications have at most 8,000 bytes, and
     * nobody reads an error that is longer.
     */
    static final int OTHER_BYTES_MAX = 64 << 10;

    /** @param connection its name */
    public RowSocketFactory(String connection) {
        super(BoundedConnection.named(connection), ANSWER_BYTES_MAX, OTHER_BYTES_MAX);
    }
}
