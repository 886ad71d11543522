package dev.millrace.handler.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;
import org.sqlite.SQLiteOpenMode;

/** A connection to a database of SQLite, within the limits that keep a script from harming its worker. */
final class SqliteSession implements SqlSession {
    /** Size of a database in memory, in bytes. The driver's SQLite counts no other memory. */
    static final long MEMORY_BYTES_MAX = 32L << 20;

    /** Largest text or BLOB, and largest row, in bytes. */
    static final int VALUE_BYTES_MAX = 8 << 20;

    /** Size up to which a job may let a database grow, in bytes. */
    static final long FILE_BYTES_MAX = 1L << 30;

    /** How long a job waits for others that have locked the database. */
    static final int BUSY_MILLIS_MAX = 5_000;

    /** Instructions of SQLite's machine between two looks whether the job was stopped: some milliseconds. */
    private static final int INSTRUCTIONS_BETWEEN_LOOKS = 100_000;

    private static final int STOP = 1;
    private static final long PAGE_BYTES_DEFAULT = 4096;

    private final SQLiteConnection connection;
    private volatile boolean isClosing;

    private SqliteSession(SQLiteConnection connection) {
        this.connection = connection;
    }

    /**
     * Opens a database.
     *
     * @param path the file, or {@link SqliteFile#MEMORY}
     */
    static SqliteSession open(String path, SqliteFile.Mode mode) throws SQLException {
        SqliteSession session = new SqliteSession(JDBC.createConnection(JDBC.PREFIX + path, properties(mode)));
        try {
            session.limit(path.equals(SqliteFile.MEMORY) ? MEMORY_BYTES_MAX : FILE_BYTES_MAX);
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    private static Properties properties(SqliteFile.Mode mode) {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        switch (mode) {
            case RO -> config.setReadOnly(true);
            case RW -> config.setOpenMode(SQLiteOpenMode.READWRITE);
            case RWC -> config.setOpenMode(SQLiteOpenMode.CREATE);
        }
        config.enableLoadExtension(false);
        config.setBusyTimeout(BUSY_MILLIS_MAX);
        return config.toProperties();
    }

    private void limit(long bytesMax) throws SQLException {
        connection.setLimit(SQLiteLimits.SQLITE_LIMIT_ATTACHED, 0);
        connection.setLimit(SQLiteLimits.SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
        connection.setLimit(SQLiteLimits.SQLITE_LIMIT_WORKER_THREADS, 0);
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma trusted_schema = off");
            statement.execute("pragma cell_size_check = on");
            statement.execute("pragma mmap_size = 0");
            statement.execute("pragma max_page_count = " + bytesMax / pageBytes(statement));
        }
        ProgressHandler.setHandler(connection, INSTRUCTIONS_BETWEEN_LOOKS, new ProgressHandler() {
            @Override
            protected int progress() {
                return isClosing ? STOP : 0;
            }
        });
    }

    private static long pageBytes(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("pragma page_size")) {
            return rows.next() ? rows.getLong(1) : PAGE_BYTES_DEFAULT;
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public void succeeded() {
        // Each job opens its own, which takes less than a millisecond.
    }

    /** Stops a statement that another thread executes, and closes. Changes that were not committed have no effect. */
    @Override
    public void close() {
        isClosing = true;
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // There is nothing to close.
        }
    }
}
