package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

/**
 * Settings of the connections to Postgres.
 *
 * @param location server, database and credentials
 * @param poolSize maximum number of connections for reads and housekeeping, and as many again for look-ups by key;
 *     lanes have their own
 * @param migrate whether to migrate an older schema at start
 */
public record DatabaseConfig(DatabaseLocation location, int poolSize, boolean migrate) {
    static final int POOL_SIZE_DEFAULT = 10;
    private static final int POOL_SIZE_MAX = 1_000;

    public DatabaseConfig {
        requireNonNull(location, "location");
        Expect.that(
                poolSize >= 2 && poolSize <= POOL_SIZE_MAX,
                "millrace.database.pool-size",
                poolSize,
                "2 to " + POOL_SIZE_MAX);
    }
}
