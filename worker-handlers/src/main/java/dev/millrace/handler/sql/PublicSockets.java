package dev.millrace.handler.sql;

import dev.millrace.tls.CheckedSockets;

/** Sockets that connect to public addresses only. The drivers make it by its name. */
public final class PublicSockets extends CheckedSockets {
    public PublicSockets() {
        super(SqlServerOptions.PUBLIC_ONLY.addressRule());
    }
}
