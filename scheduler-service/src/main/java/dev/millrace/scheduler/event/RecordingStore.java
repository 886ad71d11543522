package dev.millrace.scheduler.event;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The workspaces that are recorded, in Postgres. A row that is gone must be begun anew; it is never prolonged late. */
final class RecordingStore {
    /** A row for steps records the runs too. */
    static final String READ = """
            select l.generation, array(select workspace from event_recording) as runs,
                array(select workspace from event_recording where scope = 'steps') as steps
            from event_log l where l.id = 1
            """;
    /** A row that is about to expire is locked either by this statement or by the one that deletes it. */
    private static final String EXTEND = """
            update event_recording
            set until = case when ? or until is null then null else greatest(until, now() + ? * interval '1 millisecond') end
            where workspace = ? and scope = ? returning generation, since_transaction is not null as complete
            """;

    private static final String RAISE =
            "update event_log set generation = generation + 1 where id = 1 returning generation";
    private static final String BEGIN = """
            insert into event_recording (workspace, scope, generation, until)
            values (?, ?, ?, case when not ? then now() + ? * interval '1 millisecond' end) on conflict do nothing
            """;
    private static final String COMPLETE = """
            update event_recording set since_transaction = pg_snapshot_xmin(pg_current_snapshot())::text::bigint
            where workspace = ? and scope = ? and since_transaction is null
            """;
    private static final String STATE = """
            select l.epoch, min(r.since_transaction) as since_transaction, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled,
                (extract(epoch from now()) * 1000)::bigint as now_millis
            from event_recording r, event_log l
            where l.id = 1 and r.workspace = ? and r.scope in (?, 'steps') and r.since_transaction is not null
            group by l.epoch
            """;
    private static final String RELEASE =
            "update event_recording set until = now() + ? * interval '1 millisecond' where workspace = ? and scope = ? and until is null";
    private static final String EXPIRED = "select exists (select from event_recording where until <= now())";
    private static final String EXPIRE = "delete from event_recording where until <= now()";

    private static final String BEHIND = """
            select %s from pg_locks l
            where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ?::bigint::oid and l.objid::bigint < ?::bigint
              and l.database = (select oid from pg_database where datname = current_database())
            """;
    private static final String PIDS = BEHIND.formatted("l.pid");
    private static final String TERMINATE = BEHIND.formatted("pg_terminate_backend(l.pid)");

    private static final String IS_FOREIGN = """
            select exists (select from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
                or exists (select from event_recording where since_transaction > pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
            """;

    private final Database database;

    RecordingStore(Database database) {
        this.database = database;
    }

    /** @param isComplete whether every scheduler records */
    record Row(int generation, boolean isComplete) {}

    Recording.Workspaces read() {
        return database.run(dsl -> {
            var row = dsl.fetchSingle(READ);
            return workspaces(
                    row.get("generation", Integer.class),
                    row.get("runs", String[].class),
                    row.get("steps", String[].class));
        });
    }

    static Recording.Workspaces workspaces(int generation, String[] runs, String[] steps) {
        return new Recording.Workspaces(generation, named(runs), named(steps));
    }

    private static Set<Workspace> named(String[] names) {
        return Stream.of(names).map(Workspace::new).collect(Collectors.toUnmodifiableSet());
    }

    /** Prolongs the recording; empty if the workspace is not recorded. */
    Optional<Row> extend(Workspace workspace, Scope scope, boolean isLasting, Duration kept) {
        return database.run(dsl ->
                dsl.fetch(EXTEND, isLasting, kept.toMillis(), workspace.name(), scope.text()).stream()
                        .findFirst()
                        .map(row -> new Row(row.get(0, Integer.class), row.get(1, Boolean.class))));
    }

    /** Begins to record a workspace, unless somebody else has. */
    void begin(Workspace workspace, Scope scope, boolean isLasting, Duration kept) {
        database.transaction(dsl -> {
            int generation = dsl.fetchSingle(RAISE).get(0, Integer.class);
            return dsl.execute(BEGIN, workspace.name(), scope.text(), generation, isLasting, kept.toMillis());
        });
    }

    /** Notes that every scheduler records from now on. */
    void complete(Workspace workspace, Scope scope) {
        database.run(dsl -> dsl.execute(COMPLETE, workspace.name(), scope.text()));
    }

    /** The state of a workspace; empty if the scope is not recorded by all. */
    Optional<Recording.Complete> state(Workspace workspace, Scope scope) {
        return database.run(dsl -> dsl.fetch(STATE, workspace.name(), scope.text()).stream()
                .findFirst()
                .map(row -> new Recording.Complete(
                        row.get("epoch", Integer.class),
                        row.get("since_transaction", Long.class),
                        row.get("settled", Long.class),
                        row.get("now_millis", Long.class))));
    }

    void release(Workspace workspace, Scope scope, Duration kept) {
        database.run(dsl -> dsl.execute(RELEASE, kept.toMillis(), workspace.name(), scope.text()));
    }

    /** Stops to record workspaces whose time has passed. */
    void expire() {
        if (database.run(dsl -> dsl.fetchSingle(EXPIRED).get(0, Boolean.class))) {
            database.transaction(dsl -> {
                dsl.fetchSingle(RAISE);
                return dsl.execute(EXPIRE);
            });
        }
    }

    /** Backends of lanes that may use an older generation. */
    List<Integer> lanesBehind(int generation) {
        return database.run(dsl ->
                dsl.fetch(PIDS, (long) Recording.LOCKS, (long) generation).getValues(0, Integer.class));
    }

    /** Ends these backends. Their lanes connect again, and carry out again what was not committed. */
    void terminate(int generation) {
        database.run(dsl -> dsl.fetch(TERMINATE, (long) Recording.LOCKS, (long) generation));
    }

    /**
     * Forgets the events that were restored from the database of another server, whose transactions have other numbers,
     * and begins a new epoch of positions.
     */
    void forgetForeignTransactions() {
        if (database.run(dsl -> dsl.fetchSingle(IS_FOREIGN).get(0, Boolean.class))) {
            database.transaction(dsl -> {
                dsl.execute("update event_log set epoch = epoch + 1, generation = generation + 1 where id = 1");
                dsl.execute("delete from event");
                return dsl.execute("update event_recording set since_transaction = null");
            });
        }
    }
}
