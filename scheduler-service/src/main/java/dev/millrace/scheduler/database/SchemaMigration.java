package dev.millrace.scheduler.database;

import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.util.Arrays;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationVersion;

/**
 * Migrates the schema to the version that this program knows. Several schedulers may start at once, because Flyway
 * takes a lock.
 */
final class SchemaMigration {
    private SchemaMigration() {}

    static void run(Connections connections, DatabaseConfig config) {
        Flyway flyway = Flyway.configure()
                .dataSource(connections.source("millrace migration"))
                .locations("classpath:db/migration")
                .load();
        try {
            requireNotNewer(flyway.info());
            if (config.migrate()) {
                flyway.migrate();
            } else {
                requireNotOlder(flyway.info());
            }
        } catch (FlywayException failure) {
            throw new MillraceException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "The schema of " + config.location().describe()
                            + " cannot be brought up to date: use an empty database, or one that only Millrace has changed. Reason: "
                            + failure.getMessage(),
                    failure);
        }
    }

    private static void requireNotNewer(MigrationInfoService info) {
        Optional<MigrationVersion> applied = newest(info.applied());
        Optional<MigrationVersion> known = newest(
                Arrays.stream(info.all()).filter(SchemaMigration::isKnown).toArray(MigrationInfo[]::new));
        if (applied.isPresent() && known.isPresent() && applied.get().compareTo(known.get()) > 0) {
            throw new MillraceException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "The schema is at version " + applied.get()
                            + ", made by a newer Millrace; this scheduler knows versions up to " + known.get()
                            + ": start the newer version.");
        }
    }

    private static void requireNotOlder(MigrationInfoService info) {
        if (info.pending().length > 0) {
            throw new MillraceException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "The schema is at version "
                            + newest(info.applied()).map(String::valueOf).orElse("none")
                            + ", but this scheduler needs "
                            + newest(info.pending()).map(String::valueOf).orElse("none")
                            + ": start one scheduler with millrace.database.migrate=true.");
        }
    }

    private static boolean isKnown(MigrationInfo migration) {
        return migration.getState().isResolved();
    }

    private static Optional<MigrationVersion> newest(MigrationInfo[] migrations) {
        return Arrays.stream(migrations)
                .map(MigrationInfo::getVersion)
                .filter(version -> version != null)
                .max(MigrationVersion::compareTo);
    }
}
