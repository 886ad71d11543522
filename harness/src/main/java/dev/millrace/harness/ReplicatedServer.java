package dev.millrace.harness;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A Postgres primary and a standby that follows it by streaming replication. Not thread-safe. */
public final class ReplicatedServer implements AutoCloseable {
    private static final Duration FOLLOW_LIMIT = Duration.ofSeconds(60);
    private static final String STANDBY = "standby";
    private static final String DATABASE = "millrace";

    private final EmbeddedServer primary;
    private final EmbeddedServer standby;

    private ReplicatedServer(EmbeddedServer primary, EmbeddedServer standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts both servers. Commits of the primary wait for the standby, so that a failover loses nothing. */
    public static ReplicatedServer start() {
        EmbeddedServer primary = EmbeddedServer.start();
        execute(primary, "create database " + DATABASE);
        primary.stop();
        EmbeddedServer standby = EmbeddedServer.startStandby(primary, STANDBY);
        primary.restart();
        execute(primary, "alter system set synchronous_standby_names = '" + STANDBY + "'");
        execute(primary, "select pg_reload_conf()");
        var servers = new ReplicatedServer(primary, standby);
        Await.until(
                "the standby follows synchronously",
                FOLLOW_LIMIT,
                () -> primary.count("select count(*) from pg_stat_replication where sync_state = 'sync'") == 1);
        return servers;
    }

    /** The server that was the primary at first. */
    public EmbeddedServer primary() {
        return primary;
    }

    /** The server that was the standby at first. */
    public EmbeddedServer standby() {
        return standby;
    }

    /** Makes the standby a primary, whether or not the other one still runs. */
    public void promote() {
        execute(standby, "select pg_promote()");
    }

    /** The database on both servers by a JDBC URL, the first primary first. */
    public Postgres database() {
        return new Address("jdbc:postgresql://" + servers() + "?user=postgres&targetServerType=primary");
    }

    /** The database on both servers by a URL as libpq reads it, the first primary first. */
    public Postgres databaseOfLibpq() {
        return new Address("postgres://postgres@" + servers() + "?target_session_attrs=read-write");
    }

    private String servers() {
        return "localhost:" + primary.port() + ",localhost:" + standby.port() + "/" + DATABASE;
    }

    /**
     * Number of connections that schedulers have to the database on a server. Those that wait for a standby are left out:
     * their processes do not notice that the scheduler has gone.
     */
    public static long connections(EmbeddedServer server) {
        return server.count("select count(*) from pg_stat_activity where datname = '" + DATABASE
                + "' and application_name <> 'millrace probe' and wait_event is distinct from 'SyncRep'");
    }

    private record Address(String jdbcUrl) implements Postgres {
        @Override
        public void close() {}
    }

    private static void execute(EmbeddedServer server, String sql) {
        try (var connection = DriverManager.getConnection(server.adminUrl());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run '" + sql + "'.", e);
        }
    }

    @Override
    public void close() {
        standby.close();
        primary.close();
    }
}
