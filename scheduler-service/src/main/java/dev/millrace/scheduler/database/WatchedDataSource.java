package dev.millrace.scheduler.database;

import java.sql.Connection;
import java.sql.SQLException;
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
    static final Duration OPENING_WAIT_MAX = Duration.ofSeconds(5);

    private final transient DataSource probes;
    private final transient Succession succession;
    private final boolean wantsPrimary;

    /**
     * @param probes opens connections to the same server that time out quickly
     * @param succession refuses servers that have been replaced
     * @param wantsPrimary whether to refuse a standby
     */
    WatchedDataSource(DataSource probes, Succession succession, boolean wantsPrimary) {
        this.probes = probes;
        this.succession = succession;
        this.wantsPrimary = wantsPrimary;
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
        SilenceWatch watch = new SilenceWatch(probes, succession);
        WatchedSocketFactory.OPENING.set(watch);
        try {
            Connection connection = super.getConnection(user, password);
            try {
                Backend backend = Backend.of(connection);
                if (wantsPrimary && backend.isReadOnly()) {
                    throw new SQLException("the server is a standby, which rejects writes", DatabaseErrors.READ_ONLY);
                }
                watch.opened(backend);
                return connection;
            } catch (SQLException failure) {
                connection.close();
                throw failure;
            }
        } finally {
            WatchedSocketFactory.OPENING.remove();
        }
    }
}
