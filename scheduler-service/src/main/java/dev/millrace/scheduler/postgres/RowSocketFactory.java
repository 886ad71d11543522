package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.tls.CheckedSockets;

/** Sockets of connections that read rows. The Postgres driver makes the factory by its name. */
public final class RowSocketFactory extends CheckedSockets {
    /**
     * An answer that is as large as the driver holds, with what the protocol adds to its values. Twice this must fit into a small
     * heap, because the driver doubles its buffer until a message fits that is longer.
     */
    static final int ANSWER_BYTES_MAX = OutboxStore.RESULT_BYTES_MAX + (4 << 20);

    /** @param allowsPrivate {@code true} if the database may have an address that is not public */
    public RowSocketFactory(String allowsPrivate) {
        super(new TriggerConfig(Boolean.parseBoolean(allowsPrivate)).addressRule(), ANSWER_BYTES_MAX);
    }
}
