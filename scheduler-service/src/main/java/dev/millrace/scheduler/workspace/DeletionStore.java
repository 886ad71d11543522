package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Deletes the rows of workspaces in Postgres, a bounded number at a time. */
final class DeletionStore {
    /** Maximum number of rows that a statement deletes. */
    static final int ROWS_MAX = 5_000;
    /** Maximum number of runs whose rows are deleted together. */
    static final int RUNS_MAX = 100;

    private static final String CLAIM = """
            update workspace set claimed_until = now() + ? * interval '1 millisecond'
            where key = (
                select key from workspace
                where state = 'deleting' and (claimed_until is null or claimed_until < now())
                  and archived_at < now() - ? * interval '1 millisecond'
                order by deleted_at, key limit 1 for update skip locked)
            returning key
            """;
    private static final String RENEW = """
            update workspace set claimed_until = now() + ? * interval '1 millisecond' where key = ? and state = 'deleting'
            """;
    private static final String ANY = "select exists (select from workspace where state = 'deleting')";
    private static final String LIVE = """
            select run_id from job_queue where workspace = ? and id = run_id order by bucket, id limit ?
            """;
    private static final String IS_LIVE = "select exists (select from job_queue where workspace = ?)";
    private static final String ENDED = """
            select run_id from job_history where workspace = ? and step_key = '' order by id limit ?
            """;
    private static final String CUT_TOKENS = """
            update credential set workspaces = array_remove(workspaces, ?) where ? = any (workspaces) and cardinality(workspaces) > 1
            """;
    private static final String FREE_NAMES = "delete from workspace_name where key = ?";
    private static final String FINISH = """
            update workspace set state = 'deleted', name = null, description = '', isolated = false, claimed_until = null, moving_until = null
            where key = ? and state = 'deleting'
            """;

    private final Database database;

    DeletionStore(Database database) {
        this.database = database;
    }

    /**
     * Claims a workspace that is to be deleted, for some time.
     *
     * @param settling time since the workspace was archived, after which every scheduler knows it
     */
    Optional<Workspace> claim(Duration time, Duration settling) {
        return database.run(dsl -> dsl.fetch(CLAIM, time.toMillis(), settling.toMillis()).stream()
                .map(row -> Workspace.of(row.get(0, String.class)))
                .findFirst());
    }

    /** Keeps a claim for some more time. */
    void renew(Workspace key, Duration time) {
        database.run(dsl -> dsl.execute(RENEW, time.toMillis(), key.name()));
    }

    /** Whether a workspace is to be deleted. */
    boolean isAny() {
        return Boolean.TRUE.equals(database.run(dsl -> dsl.fetchSingle(ANY).get(0, Boolean.class)));
    }

    /** Some of the runs in progress. */
    List<RunId> liveRuns(Workspace key, int limit) {
        return database.run(dsl -> dsl.fetch(LIVE, key.name(), limit).map(row -> new RunId(row.get(0, UUID.class))));
    }

    boolean hasLiveJobs(Workspace key) {
        return Boolean.TRUE.equals(
                database.run(dsl -> dsl.fetchSingle(IS_LIVE, key.name()).get(0, Boolean.class)));
    }

    /** Some of the runs that have ended. */
    List<RunId> endedRuns(Workspace key) {
        return database.run(
                dsl -> dsl.fetch(ENDED, key.name(), RUNS_MAX).map(row -> new RunId(row.get(0, UUID.class))));
    }

    /** Deletes some rows of a table. Returns their number, which is less than {@link #ROWS_MAX} if none is left. */
    int delete(WorkspaceTables.ByKey table, Workspace key) {
        String sql = "delete from " + table.table() + " where ctid = any (array(select ctid from " + table.table()
                + " where " + table.condition() + " limit ?))";
        return database.run(dsl -> dsl.execute(sql, key.name(), ROWS_MAX));
    }

    /**
     * Deletes some rows of runs, but not their root rows, by which the runs are found. Returns the number of rows, which is
     * less than {@link #ROWS_MAX} if none is left.
     */
    int delete(WorkspaceTables.ByRun table, Collection<RunId> runs) {
        String keepsRoots = table.table().equals("job_history") ? " and step_key <> ''" : "";
        String sql = "delete from " + table.table() + " where (" + table.key() + ") in (select " + table.key()
                + " from " + table.table() + " where " + table.run() + " = any (?)" + keepsRoots + " limit ?)";
        return database.run(dsl -> dsl.execute(sql, ids(runs), ROWS_MAX));
    }

    /** Deletes the root rows of runs. */
    void deleteRoots(Collection<RunId> runs) {
        database.run(dsl ->
                dsl.execute("delete from job_history where run_id = any (?) and step_key = ''", (Object) ids(runs)));
    }

    /** Takes the workspace out of the tokens that name others, too. */
    void cutTokens(Workspace key) {
        database.run(dsl -> dsl.execute(CUT_TOKENS, key.name(), key.name()));
    }

    /** Ends the deletion: the workspace's names are free again, and its key is never given to another. */
    void finish(Workspace key) {
        database.transaction(dsl -> {
            dsl.execute(FREE_NAMES, key.name());
            return dsl.execute(FINISH, key.name());
        });
    }

    private static UUID[] ids(Collection<RunId> runs) {
        return runs.stream().map(RunId::value).toArray(UUID[]::new);
    }
}
