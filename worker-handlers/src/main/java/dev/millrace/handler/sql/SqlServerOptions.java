package dev.millrace.handler.sql;

import dev.millrace.tls.AddressRule;

/**
 * Permissions that a worker's operator gives to scripts in SQL.
 *
 * @param allowPrivate whether an input may name a database at an address that is not public. A resource always may, because its
 *     author may write into its folder
 */
public record SqlServerOptions(boolean allowPrivate) {
    /** Restricts databases that an input names to public addresses. */
    public static final SqlServerOptions PUBLIC_ONLY = new SqlServerOptions(false);

    private static final String ALLOW_PRIVATE = "millrace.worker.sql-allow-private";

    AddressRule addressRule() {
        return new AddressRule(allowPrivate, ALLOW_PRIVATE);
    }
}
