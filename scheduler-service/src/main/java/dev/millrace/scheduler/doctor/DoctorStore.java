package dev.millrace.scheduler.doctor;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.database.ServerAddress;
import dev.millrace.scheduler.doctor.DatabaseFacts.DrainedWorker;
import dev.millrace.scheduler.doctor.DatabaseFacts.LiveWorker;
import dev.millrace.scheduler.doctor.DatabaseFacts.Missing;
import dev.millrace.scheduler.doctor.DatabaseFacts.PausedTag;
import dev.millrace.scheduler.doctor.DatabaseFacts.Unserved;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.version.ReferenceUseRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** Reads facts from a database in one read-only transaction, and changes nothing, whatever is wrong with the database. */
final class DoctorStore {
    /** Largest number of stuck runs that are named. */
    static final int RUNS_MAX = 20;

    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(5);
    /** Longest time of one query: the doctor must not be a burden to a sick database. */
    static final Duration QUERY_WAIT_MAX = Duration.ofSeconds(10);

    private static final String SERVER = """
            select current_setting('server_version_num')::int as version, clock_timestamp() as now,
                pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only,
                (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
                (select age(datfrozenxid) from pg_database where datname = current_database()) / 2147483647.0 as ids_used,
                (select coalesce(extract(epoch from now() - min(xact_start)), 0) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid())::bigint as oldest_seconds
            """;

    private static final String SETTINGS = """
            select name, setting from pg_settings
            where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'max_connections', 'autovacuum', 'track_counts',
                'max_prepared_transactions', 'idle_in_transaction_session_timeout')
            """;

    private static final String DEAD_ROWS = """
            select relname, n_dead_tup from pg_stat_user_tables
            where n_dead_tup > 100000 and n_dead_tup > 2 * n_live_tup order by n_dead_tup desc limit 5
            """;

    private static final String HAS_SCHEMA =
            "select to_regclass('flyway_schema_history') is not null and to_regclass('job_queue') is not null as has";

    /** A database that an older version of Millrace has made has no pauses. */
    private static final String HAS_PAUSES = "select to_regclass('paused_tag') is not null as has";

    private static final String SCHEMA = """
            select coalesce(max(version collate "C"), '') as version from flyway_schema_history
            where success and installed_rank = (select max(installed_rank) from flyway_schema_history where success)
            """;

    private static final String WORKERS = """
            select worker_name, version from worker_session where ended_at is null and expires_at > now()
            order by worker_name limit 1000
            """;

    /** Jobs that have waited for a minute under a tag that no slot group of a live worker has, if it is not drained. */
    private static final String UNSERVED = NamedCodes.expand("""
            select q.tag, count(*) as jobs, extract(epoch from now() - min(q.created_at))::bigint as oldest_seconds
            from job_queue q
            where q.state = {JobState.QUEUED} and q.tag !~ '^[@~]' and q.created_at < now() - interval '1 minute'
              and not exists (
                select 1 from worker_session s, json_array_elements(s.slot_groups) g, json_array_elements_text(g -> 'tags') t
                where s.ended_at is null and s.expires_at > now() and t = q.tag and to_jsonb(s) ->> 'drained_at' is null)
            group by q.tag order by jobs desc limit 10
            """);

    /** Flows in progress for an hour of which nothing is in the queue, not even a wait. */
    private static final String STUCK = NamedCodes.expand("""
            select q.id::text from job_queue q
            where q.state = {JobState.FLOW_RUNNING} and q.created_at < now() - interval '1 hour'
              and not exists (select 1 from job_queue j where j.run_id = q.run_id and j.id <> q.id)
            order by q.created_at limit %d
            """).formatted(RUNS_MAX);

    /** Tags that have been paused for an hour, whether the pause ends by itself or not. */
    private static final String PAUSED = NamedCodes.expand("""
            select p.tag, p.actor, p.reason, extract(epoch from now() - p.paused_at)::bigint as age_seconds,
                exists (select from job_queue q where q.state = {JobState.QUEUED} and q.tag = p.tag) as has_jobs
            from paused_tag p where p.until_at > now() and p.paused_at < now() - interval '1 hour'
            order by p.paused_at limit 10
            """);

    /** Workers that have been drained for an hour. Older schemas have none, and no such columns. */
    private static final String DRAINED = """
            select d.name, d.actor, d.reason, extract(epoch from now() - d.since)::bigint as age_seconds
            from worker_session s cross join lateral (
                select s.worker_name as name, to_jsonb(s) ->> 'drain_actor' as actor, to_jsonb(s) ->> 'drain_reason' as reason,
                    (to_jsonb(s) ->> 'drained_at')::timestamptz as since
            ) d
            where s.ended_at is null and s.expires_at > now() and d.since < now() - interval '1 hour'
            order by d.since limit 10
            """;

    /** A database that an older version of Millrace has made does not tell what triggers need. */
    private static final String HAS_USES = "select to_regclass('trigger_use') is not null as has";

    /** What flows, triggers and alerts need and does not exist. */
    private static final String MISSING = NamedCodes.expand("""
            with needed as (
                select p.workspace, u.kind, u.path, 'flow ' || p.path as by from flow_path p join flow_use u on u.hash = p.hash
                where u.kind in ({ReferenceKind.SECRET}, {ReferenceKind.RESOURCE})
                union
                select u.workspace, u.kind, u.path, t.kind || ' ' || t.path from trigger_use u join trigger t on t.id = u.trigger_id
                union
                select a.workspace, secret.kind, secret.path, 'alert ' || a.name
                from alert a cross join lateral (values ({ReferenceKind.SECRET}, a.url_secret),
                    ({ReferenceKind.SECRET}, a.signing_secret), ({ReferenceKind.RESOURCE}, a.connection)) as secret (kind, path)
                where secret.path <> ''
            )
            select coalesce(w.name, n.workspace) as workspace, case n.kind when {ReferenceKind.SECRET} then 'secret ' else 'resource ' end || n.path as needed, n.by
            from needed n left join workspace w on w.key = n.workspace
            where case n.kind
                when {ReferenceKind.SECRET} then not exists (select from secret s where s.workspace = n.workspace and s.path = n.path)
                else not exists (select from resource r where r.workspace = n.workspace and r.path = n.path) end
            order by 1, 2, 3 limit %d
            """.formatted(Missing.NAMED_MAX), ReferenceUseRows.CODES);

    private final DatabaseLocation location;
    private final ServerAddress server;
    private final InstantSource clock;

    /** @param server the one to be examined, of those that the location names */
    DoctorStore(DatabaseLocation location, ServerAddress server, InstantSource clock) {
        this.location = location;
        this.server = server;
        this.clock = clock;
    }

    /** @throws MillraceException with the words of the database if it cannot be examined */
    DatabaseFacts read() {
        try {
            return readFacts();
        } catch (SQLException failure) {
            throw new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, String.valueOf(failure.getMessage()), failure);
        }
    }

    private DatabaseFacts readFacts() throws SQLException {
        PGSimpleDataSource source = source(location);
        server.applyTo(source);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setReadOnly(true);
            statement.setQueryTimeout((int) QUERY_WAIT_MAX.toSeconds());
            Map<String, String> settings = new LinkedHashMap<>();
            read(statement, SETTINGS, row -> settings.put(row.getString(1), row.getString(2)));
            boolean hasSchema = first(statement, HAS_SCHEMA, row -> row.getBoolean(1));
            Map<String, Long> dead = new LinkedHashMap<>();
            read(statement, DEAD_ROWS, row -> dead.put(row.getString(1), row.getLong(2)));
            List<LiveWorker> workers = new ArrayList<>();
            List<Unserved> unserved = new ArrayList<>();
            List<String> stuck = new ArrayList<>();
            List<PausedTag> paused = new ArrayList<>();
            List<DrainedWorker> drained = new ArrayList<>();
            List<Missing> missing = new ArrayList<>();
            String schema = "";
            if (hasSchema) {
                schema = first(statement, SCHEMA, row -> row.getString(1));
                read(statement, WORKERS, row -> workers.add(new LiveWorker(row.getString(1), row.getString(2))));
                read(
                        statement,
                        UNSERVED,
                        row -> unserved.add(
                                new Unserved(row.getString(1), row.getLong(2), Duration.ofSeconds(row.getLong(3)))));
                read(
                        statement,
                        DRAINED,
                        row -> drained.add(new DrainedWorker(
                                row.getString(1),
                                row.getString(2),
                                row.getString(3),
                                Duration.ofSeconds(row.getLong(4)))));
                read(statement, STUCK, row -> stuck.add(row.getString(1)));
                if (first(statement, HAS_PAUSES, row -> row.getBoolean(1))) {
                    read(statement, PAUSED, row -> paused.add(paused(row)));
                }
                if (first(statement, HAS_USES, row -> row.getBoolean(1))) {
                    read(
                            statement,
                            MISSING,
                            row -> missing.add(new Missing(row.getString(1), row.getString(2), row.getString(3))));
                }
            }
            String version = schema;
            Instant sent = clock.instant();
            return first(statement, SERVER, row -> {
                Instant received = clock.instant();
                Duration halfTrip = Duration.between(sent, received).dividedBy(2);
                return new DatabaseFacts(
                        row.getInt("version"),
                        settings,
                        Duration.between(
                                sent.plus(halfTrip), row.getTimestamp("now").toInstant()),
                        halfTrip,
                        row.getBoolean("read_only"),
                        row.getInt("connections"),
                        row.getDouble("ids_used"),
                        Duration.ofSeconds(row.getLong("oldest_seconds")),
                        dead,
                        version,
                        workers,
                        unserved,
                        stuck,
                        paused,
                        drained,
                        missing);
            });
        }
    }

    private static PausedTag paused(ResultSet row) throws SQLException {
        return new PausedTag(
                row.getString("tag"),
                row.getString("actor"),
                row.getString("reason"),
                Duration.ofSeconds(row.getLong("age_seconds")),
                row.getBoolean("has_jobs"));
    }

    /** Connects to any server of the location, unless it is told to which. */
    static PGSimpleDataSource source(DatabaseLocation location) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(location.jdbcUrl());
        if (!location.user().isEmpty()) {
            source.setUser(location.user());
        }
        if (!location.password().isEmpty()) {
            source.setPassword(location.password());
        }
        source.setApplicationName("millrace doctor");
        source.setConnectTimeout((int) CONNECT_WAIT_MAX.toSeconds());
        source.setSocketTimeout((int) QUERY_WAIT_MAX.plus(CONNECT_WAIT_MAX).toSeconds());
        return source;
    }

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> void read(Statement statement, String query, Row<T> reader) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                var _ = reader.read(rows);
            }
        }
    }

    private static <T> T first(Statement statement, String query, Row<T> reader) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            if (!rows.next()) {
                throw new SQLException("A query of the doctor returned no row");
            }
            return reader.read(rows);
        }
    }
}
