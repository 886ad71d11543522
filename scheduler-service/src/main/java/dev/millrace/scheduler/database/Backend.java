package dev.millrace.scheduler.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * The server process behind a connection, and what its server is.
 *
 * @param pid process id, which the server tells, because a proxy would have told the driver one of its own
 * @param isReadOnly whether the server rejects writes, as a standby does
 * @param lineage empty for a standby, and for a server that does not tell
 */
record Backend(int pid, boolean isReadOnly, Optional<ServerLineage> lineage) {
    /** The first eight digits of the name of a WAL file are the timeline, in hexadecimal (Postgres manual, 26.3.6). */
    private static final String QUERY = """
            select pg_backend_pid() as pid, current_setting('transaction_read_only') = 'on' as read_only,
                case when not pg_is_in_recovery()
                    then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline,
                (select system_identifier from pg_control_system()) as system
            """;

    private static final String QUERY_WITHOUT_LINEAGE = """
            select pg_backend_pid() as pid, current_setting('transaction_read_only') = 'on' as read_only,
                null as timeline, null as system
            """;

    /** SQL states of a server that keeps these functions from the user, or has none of this name. */
    private static final List<String> NOT_TOLD = List.of("42501", "42883", "0A000");

    private static final int HEXADECIMAL = 16;

    static Backend of(Connection connection) throws SQLException {
        try {
            return read(connection, QUERY);
        } catch (SQLException failure) {
            if (!NOT_TOLD.contains(failure.getSQLState())) {
                throw failure;
            }
            return read(connection, QUERY_WITHOUT_LINEAGE);
        }
    }

    private static Backend read(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            long system = row.getLong("system");
            Optional<ServerLineage> lineage = Optional.ofNullable(row.getString("timeline"))
                    .map(digits -> new ServerLineage(system, Long.parseLong(digits, HEXADECIMAL)));
            return new Backend(row.getInt("pid"), row.getBoolean("read_only"), lineage);
        }
    }
}
