package dev.millrace.handler.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handler.TestJob;
import dev.millrace.text.sql.SqlDialect;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are kept, against a real server. */
class KeptConnectionsTest {
    private static final TestJob JOB = TestJob.of("{}");

    private static EmbeddedPostgres server;

    private final AtomicLong now = new AtomicLong();
    private final KeptConnections connections = new KeptConnections(SqlDialect.POSTGRESQL, now::get);

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void makeAccounts() throws SQLException {
        try (var connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop role if exists other");
            statement.execute("create role other login superuser");
        }
    }

    @Test
    void givesAConnectionToTheNextJobOfTheSameAccountWorkspaceAndFolderOnly() throws SQLException {
        SqlConnection first = connections.take(key("shop", "postgres"), JOB);
        int process = process(first);
        connections.keep(first);

        SqlConnection otherWorkspace = connections.take(key("else", "postgres"), JOB);
        SqlConnection otherFolder = connections.take(key("shop", "wages", "postgres"), JOB);
        SqlConnection otherAccount = connections.take(key("shop", "other"), JOB);
        SqlConnection same = connections.take(key("shop", "postgres"), JOB);
        SqlConnection sameMeanwhile = connections.take(key("shop", "postgres"), JOB);

        assertThat(process(same)).isEqualTo(process);
        assertThat(List.of(
                        process(otherWorkspace), process(otherFolder), process(otherAccount), process(sameMeanwhile)))
                .doesNotContain(process)
                .doesNotHaveDuplicates();
        List.of(otherWorkspace, otherFolder, otherAccount, same, sameMeanwhile).forEach(SqlConnection::close);
    }

    @Test
    void keepsNothingThatAJobHasSet() throws SQLException {
        SqlConnection first = connections.take(key("shop", "postgres"), JOB);
        int process = process(first);
        for (String state : List.of(
                "create temporary table kept (n int)",
                "set role other",
                "set search_path = pg_catalog",
                "set intervalstyle = iso_8601",
                "select pg_advisory_lock(7)",
                "listen news",
                "prepare found as select 1",
                "declare held cursor with hold for select 1")) {
            execute(first, state);
        }
        connections.keep(first);

        SqlConnection next = connections.take(key("shop", "postgres"), JOB);

        assertThat(process(next)).isEqualTo(process);
        assertThat(text(next, """
                select concat_ws(',', to_regclass('kept'), current_user, current_setting('search_path'),
                    current_setting('intervalstyle'), (select count(*) from pg_locks where locktype = 'advisory'),
                    (select count(*) from pg_listening_channels()), (select count(*) from pg_prepared_statements),
                    (select count(*) from pg_cursors where name = 'held'), current_setting('application_name'))
                """)).isEqualTo("postgres,\"$user\", public,postgres,0,0,0,0,millrace job-1");
        next.close();
    }

    @Test
    void runsTheSameStatementsAgainAndAgain() throws SQLException {
        for (int i = 0; i < 20; i++) {
            SqlConnection taken = connections.take(key("shop", "postgres"), JOB);
            try (var prepared = taken.connection().prepareStatement("select ? + 1")) {
                prepared.setInt(1, i);
                try (ResultSet rows = prepared.executeQuery()) {
                    rows.next();
                    assertThat(rows.getInt(1)).isEqualTo(i + 1);
                }
            }
            connections.keep(taken);
        }
    }

    @Test
    void replacesABrokenConnectionBeforeAJobBegins() throws SQLException {
        SqlConnection broken = connections.take(key("shop", "postgres"), JOB);
        SqlConnection killer = connections.take(key("shop", "postgres"), JOB);
        int process = process(broken);
        connections.keep(broken);
        execute(killer, "select pg_terminate_backend(" + process + ", 10000)");

        SqlConnection next = connections.take(key("shop", "postgres"), JOB);

        assertThat(process(next)).isNotEqualTo(process);
        killer.close();
        next.close();
    }

    @Test
    void closesAConnectionWithinATransaction() throws SQLException {
        SqlConnection open = connections.take(key("shop", "postgres"), JOB);
        execute(open, "begin");

        connections.keep(open);

        assertThat(open.connection().isClosed()).isTrue();
    }

    @Test
    void boundsTheIdleOnesAndTheirTime() throws SQLException {
        List<SqlConnection> taken = new ArrayList<>();
        for (int i = 0; i <= KeptConnections.IDLE_MAX; i++) {
            taken.add(connections.take(key("w" + i, "postgres"), JOB));
        }
        taken.forEach(connections::keep);

        assertThat(open(taken)).isEqualTo(KeptConnections.IDLE_MAX);
        assertThat(taken.getFirst().connection().isClosed()).isTrue();

        now.addAndGet(KeptConnections.IDLE_TIME_MAX.toNanos());
        connections.sweep();

        assertThat(open(taken)).isZero();
    }

    @Test
    void closesOldConnections() throws SQLException {
        SqlConnection old = connections.take(key("shop", "postgres"), JOB);
        now.addAndGet(KeptConnections.AGE_MAX.toNanos() + 1);

        connections.keep(old);

        assertThat(old.connection().isClosed()).isTrue();
    }

    private static long open(List<SqlConnection> connections) throws SQLException {
        long count = 0;
        for (SqlConnection each : connections) {
            count += each.connection().isClosed() ? 0 : 1;
        }
        return count;
    }

    private static ConnectionKey key(String workspace, String user) {
        return key(workspace, "billing", user);
    }

    private static ConnectionKey key(String workspace, String folder, String user) {
        return new ConnectionKey(
                workspace,
                folder,
                new SqlDatabase("localhost", server.getPort(), "postgres", user, "", SqlDatabase.Encryption.OFF, ""),
                false);
    }

    private static int process(SqlConnection connection) throws SQLException {
        return Integer.parseInt(text(connection, "select pg_backend_pid()"));
    }

    private static String text(SqlConnection connection, String query) throws SQLException {
        try (Statement statement = connection.connection().createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(SqlConnection connection, String text) throws SQLException {
        try (Statement statement = connection.connection().createStatement()) {
            statement.execute(text);
        }
    }
}
