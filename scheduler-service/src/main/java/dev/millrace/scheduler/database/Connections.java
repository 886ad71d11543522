package dev.millrace.scheduler.database;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.error.MillraceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens connections with common settings: dead peers are noticed, and statements are prepared at their first use. */
final class Connections {
    /**
     * Postgres plans each statement once and looks rows up by key, even while tables are small or statistics are old. Joins
     * must be written for that (ADR 136).
     */
    static final String PLAN_ONCE = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off;"
            + " set enable_indexonlyscan = off; set jit = off";

    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(5);
    /** Longest wait for an answer on a connection that only checks whether the server is alive. */
    private static final Duration PROBE_WAIT_MAX = Duration.ofSeconds(3);

    private static final String SERVER_VERSION_MIN = "14";
    /** OID of {@code uuid[]}, which the driver sends as text by default. */
    private static final String UUID_ARRAY_OID = "2951";

    private final DatabaseLocation location;

    Connections(DatabaseLocation location) {
        this.location = location;
    }

    DatabaseLocation location() {
        return location;
    }

    DataSource source(String applicationName) {
        WatchedDataSource source = new WatchedDataSource(probes());
        locate(source, applicationName);
        source.setConnectTimeout((int) CONNECT_WAIT_MAX.toSeconds());
        source.setPrepareThreshold(1);
        source.setBinaryTransferEnable(UUID_ARRAY_OID);
        return source;
    }

    private DataSource probes() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        locate(source, "millrace probe");
        source.setConnectTimeout((int) PROBE_WAIT_MAX.toSeconds());
        source.setSocketTimeout((int) PROBE_WAIT_MAX.toSeconds());
        return source;
    }

    private void locate(PGSimpleDataSource source, String applicationName) {
        source.setUrl(location.jdbcUrl());
        if (!location.user().isEmpty()) {
            source.setUser(location.user());
        }
        if (!location.password().isEmpty()) {
            source.setPassword(location.password());
        }
        source.setApplicationName(applicationName);
        source.setAssumeMinServerVersion(SERVER_VERSION_MIN);
    }

    Connection open(String applicationName) {
        try {
            return source(applicationName).getConnection();
        } catch (SQLException failure) {
            throw unreachable(failure);
        }
    }

    /** Opens a connection with {@link #PLAN_ONCE}. */
    Connection openToPlanOnce(String applicationName) {
        Connection connection = open(applicationName);
        try (Statement statement = connection.createStatement()) {
            statement.execute(PLAN_ONCE);
            return connection;
        } catch (SQLException failure) {
            closeQuietly(connection);
            throw unreachable(failure);
        }
    }

    /** Fails with a clear message if no connection can be opened. */
    void check() {
        try (Connection connection = open("millrace start")) {
            DatabaseErrors.requireServerVersion(connection.getMetaData().getDatabaseMajorVersion());
        } catch (SQLException failure) {
            throw unreachable(failure);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The connection was not used.
        }
    }

    private MillraceException unreachable(SQLException failure) {
        return DatabaseErrors.unreachable(location, failure);
    }
}
