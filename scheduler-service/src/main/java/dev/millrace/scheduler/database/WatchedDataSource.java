package dev.millrace.scheduler.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens connections that notice within seconds that their server is gone or frozen, however long their statements take.
 */
final class WatchedDataSource extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;
    /** Longest wait of a pool that closes for a connection that it is opening. Most wait for milliseconds. */
    private static final Duration OPENING_WAIT_MAX = Duration.ofSeconds(5);

    private final transient DataSource probes;

    /** @param probes opens connections to the same server that time out quickly */
    WatchedDataSource(DataSource probes) {
        this.probes = probes;
        setSocketFactory(WatchedSocketFactory.class.getName());
        setSocketTimeout((int) WatchedSocket.SILENCE_MAX.toSeconds());
        setTcpKeepAlive(true);
    }

    /**
     * Has no effect: with a timeout for the whole login, the driver would open the socket on another thread. Each read
     * has a timeout anyway.
     */
    @Override
    public void setLoginTimeout(int seconds) {}

    /** Seconds that a pool waits when it closes, which is the only use of this method. The pool would take 0 for no wait. */
    @Override
    public int getLoginTimeout() {
        return (int) OPENING_WAIT_MAX.toSeconds();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        SilenceWatch watch = new SilenceWatch(probes);
        WatchedSocketFactory.OPENING.set(watch);
        try {
            Connection connection = super.getConnection(user, password);
            watch.opened(backendOf(connection));
            return connection;
        } finally {
            WatchedSocketFactory.OPENING.remove();
        }
    }

    /** Asks the server, because a proxy would have told the driver a process id of its own. */
    private static int backendOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }
}
