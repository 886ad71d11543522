package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.tls.CheckedSockets;

/** Sockets that connect to public addresses only. The Postgres driver makes it by its name. */
public final class PublicSocketFactory extends CheckedSockets {
    public PublicSocketFactory() {
        super(new TriggerConfig(false).addressRule());
    }
}
