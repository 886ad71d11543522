package dev.millrace.scheduler.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to whichever of several servers is the primary. The driver's own choice would take the first server
 * that accepts writes, although a newer primary may have replaced it. Thread-safe.
 */
final class PrimarySource implements DataSource {
    private final List<WatchedDataSource> servers;
    /** Index of the server that was the primary when a connection was last opened. */
    private final AtomicInteger preferred = new AtomicInteger();

    /** @param servers each refuses to connect to a standby */
    PrimarySource(List<WatchedDataSource> servers) {
        this.servers = List.copyOf(servers);
    }

    @Override
    public Connection getConnection() throws SQLException {
        int first = preferred.get();
        List<SQLException> refusals = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            int index = (first + i) % servers.size();
            try {
                Connection connection = servers.get(index).getConnection();
                preferred.set(index);
                return connection;
            } catch (SQLException refusal) {
                refusals.add(refusal);
            }
        }
        throw noPrimary(refusals, first);
    }

    private SQLException noPrimary(List<SQLException> refusals, int first) {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < refusals.size(); i++) {
            WatchedDataSource server = servers.get((first + i) % servers.size());
            reasons.add(server.getServerNames()[0] + ":" + server.getPortNumbers()[0] + ": "
                    + refusals.get(i).getMessage());
        }
        return new SQLException(String.join("; ", reasons), refusals.getFirst().getSQLState());
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The servers have their credentials.");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    /** Has no effect. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    /** Has no effect: each read has a timeout. */
    @Override
    public void setLoginTimeout(int seconds) {}

    /** Seconds that a pool waits when it closes, see {@link WatchedDataSource#getLoginTimeout}. */
    @Override
    public int getLoginTimeout() {
        return (int) WatchedDataSource.OPENING_WAIT_MAX.toSeconds();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("The driver logs by itself.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("It wraps several data sources.");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
