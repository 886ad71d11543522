package dev.millrace.scheduler.database;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.error.MillraceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections with common settings: dead peers are noticed, statements are prepared at their first use, and of
 * several servers the newest primary is used.
 */
final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);

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
    private final List<ServerAddress> servers;
    private final Succession succession = new Succession();

    /** @throws MillraceException with {@code INVALID_CONFIG} if the driver cannot read the address */
    Connections(DatabaseLocation location) {
        this.location = location;
        this.servers = ServerAddress.of(location.jdbcUrl());
    }

    DatabaseLocation location() {
        return location;
    }

    /** Whether the address names several servers, of which one is the primary. */
    boolean haveSeveralServers() {
        return servers.size() > 1;
    }

    DataSource source(String applicationName) {
        List<WatchedDataSource> sources =
                servers.stream().map(server -> source(server, applicationName)).toList();
        return haveSeveralServers() ? new PrimarySource(sources) : sources.getFirst();
    }

    private WatchedDataSource source(ServerAddress server, String applicationName) {
        WatchedDataSource source = new WatchedDataSource(probes(server), succession, haveSeveralServers());
        locate(source, server, applicationName);
        source.setConnectTimeout((int) CONNECT_WAIT_MAX.toSeconds());
        source.setPrepareThreshold(1);
        source.setBinaryTransferEnable(UUID_ARRAY_OID);
        return source;
    }

    private DataSource probes(ServerAddress server) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        locate(source, server, "millrace probe");
        source.setConnectTimeout((int) PROBE_WAIT_MAX.toSeconds());
        source.setSocketTimeout((int) PROBE_WAIT_MAX.toSeconds());
        return source;
    }

    private void locate(PGSimpleDataSource source, ServerAddress server, String applicationName) {
        source.setUrl(location.jdbcUrl());
        server.applyTo(source);
        if (!location.user().isEmpty()) {
            source.setUser(location.user());
        }
        if (!location.password().isEmpty()) {
            source.setPassword(location.password());
        }
        source.setApplicationName(applicationName);
        source.setAssumeMinServerVersion(SERVER_VERSION_MIN);
    }

    /**
     * Looks at all servers for the newest primary. Connections to primaries that it has replaced end. A server that does
     * not answer is passed over.
     */
    void findPrimary() {
        for (ServerAddress server : servers) {
            try (Connection probe = probes(server).getConnection()) {
                Backend.of(probe).lineage().ifPresent(succession::observe);
            } catch (SQLException away) {
                log.atDebug().addKeyValue("reason", away.getMessage()).log("A server of the database does not answer");
            }
        }
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

    /**
     * Fails with a clear message if no connection can be opened, or if a pooler between here and Postgres shares its
     * sessions.
     */
    void check() {
        if (haveSeveralServers()) {
            findPrimary();
        }
        try (Connection connection = open("millrace start");
                Connection second = open("millrace start")) {
            DatabaseErrors.requireServerVersion(connection.getMetaData().getDatabaseMajorVersion());
            if (Backend.of(connection).pid() == Backend.of(second).pid()) {
                throw DatabaseErrors.sharedSessions(location);
            }
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
