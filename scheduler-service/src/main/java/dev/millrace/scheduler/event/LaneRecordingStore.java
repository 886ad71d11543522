package dev.millrace.scheduler.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;

/**
 * Lets new connections of lanes take the lock on the generation of recorded workspaces that this scheduler knows. The
 * generation is read again under the lock: if it is still the latest, whoever raises it later sees the lock.
 */
public final class LaneRecordingStore {
    private static final String LOCK = "select pg_advisory_lock_shared(?, ?)";
    private static final String UNLOCK = "select pg_advisory_unlock_shared(?, ?)";

    private LaneRecordingStore() {}

    /** Connections that are opened like these, and hold the lock. */
    public static Callable<Connection> entering(Recording recording, Callable<Connection> connections) {
        return () -> {
            Connection connection = connections.call();
            try {
                enter(recording, connection);
                return connection;
            } catch (SQLException | RuntimeException failure) {
                connection.close();
                throw failure;
            }
        };
    }

    private static void enter(Recording recording, Connection connection) throws SQLException {
        Recording.Workspaces locked = read(connection);
        execute(connection, LOCK, locked.generation());
        for (Recording.Workspaces now = read(connection);
                now.generation() != locked.generation();
                now = read(connection)) {
            execute(connection, LOCK, now.generation());
            execute(connection, UNLOCK, locked.generation());
            locked = now;
        }
        recording.learn(locked);
    }

    private static void execute(Connection connection, String sql, int generation) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, Recording.LOCKS);
            statement.setInt(2, generation);
            statement.execute();
        }
    }

    private static Recording.Workspaces read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RecordingStore.READ);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return RecordingStore.workspaces(
                    row.getInt("generation"), (String[]) row.getArray("runs").getArray(), (String[])
                            row.getArray("steps").getArray());
        }
    }
}
