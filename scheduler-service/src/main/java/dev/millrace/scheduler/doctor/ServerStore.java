package dev.millrace.scheduler.doctor;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.database.ServerAddress;
import dev.millrace.scheduler.doctor.ServerLook.Lineage;
import dev.millrace.scheduler.doctor.ServerLook.Standby;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** Looks at each server that the address of a database names, whether it is the primary or not. */
final class ServerStore {
    private static final int MILLIS_A_SECOND = 1_000;

    private static final String ROLE = """
            select pg_is_in_recovery() as follows, current_setting('synchronous_standby_names') as names,
                current_setting('synchronous_commit') as waits
            """;

    /** The timeline of a standby is the one that it follows, which its last checkpoint may not have reached. */
    private static final String LINEAGE = """
            select (select system_identifier from pg_control_system())::text as system,
                case when pg_is_in_recovery()
                    then greatest((select timeline_id from pg_control_checkpoint()), (select received_tli from pg_stat_wal_receiver))
                    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
            """;

    /** A base backup or a tool that receives WAL is no standby. */
    private static final String STANDBYS = """
            select coalesce(application_name, '') as name, coalesce(state, '') as state, coalesce(sync_state, '') as synchrony,
                coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::bigint as bytes_behind,
                coalesce(extract(epoch from replay_lag), 0)::float8 as seconds_behind
            from pg_stat_replication where state is null or (state in ('startup', 'catchup', 'streaming') and replay_lsn is not null)
            order by application_name limit 100
            """;

    private ServerStore() {}

    /** @throws dev.millrace.scheduler.error.MillraceException if the address of the database is not usable */
    static List<ServerLook> lookAt(DatabaseLocation location) {
        return ServerAddress.of(location.jdbcUrl()).stream()
                .map(server -> lookAt(location, server))
                .toList();
    }

    private static ServerLook lookAt(DatabaseLocation location, ServerAddress server) {
        PGSimpleDataSource source = DoctorStore.source(location);
        server.applyTo(source);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setReadOnly(true);
            statement.setQueryTimeout((int) DoctorStore.QUERY_WAIT_MAX.toSeconds());
            return look(server, statement);
        } catch (SQLException failure) {
            return new ServerLook.Unreachable(server, String.valueOf(failure.getMessage()));
        }
    }

    private static ServerLook look(ServerAddress server, Statement statement) throws SQLException {
        Lineage lineage = lineage(statement);
        String names;
        String waits;
        try (ResultSet row = statement.executeQuery(ROLE)) {
            row.next();
            if (row.getBoolean("follows")) {
                return new ServerLook.Following(server, lineage);
            }
            names = row.getString("names");
            waits = row.getString("waits");
        }
        List<Standby> standbys = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(STANDBYS)) {
            while (rows.next()) {
                standbys.add(new Standby(
                        rows.getString("name"),
                        rows.getString("state"),
                        rows.getString("synchrony"),
                        rows.getLong("bytes_behind"),
                        Duration.ofMillis((long) (rows.getDouble("seconds_behind") * MILLIS_A_SECOND))));
            }
        }
        return new ServerLook.Primary(server, lineage, names, waits, standbys);
    }

    /** Some servers keep these functions from the user. */
    private static Lineage lineage(Statement statement) {
        try (ResultSet row = statement.executeQuery(LINEAGE)) {
            row.next();
            return new Lineage(row.getString("system"), row.getLong("timeline"));
        } catch (SQLException notTold) {
            return Lineage.UNKNOWN;
        }
    }
}
