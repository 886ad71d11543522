package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

/**
 * Which database, and how much of it.
 *
 * @param location where Postgres listens and who asks
 * @param poolSize most connections for reads and housekeeping, and as many for look-ups by key; lanes have their own
 * @param migrate whether to bring an older schema up to date at start
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
