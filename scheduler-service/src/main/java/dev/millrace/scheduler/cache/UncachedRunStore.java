package dev.millrace.scheduler.cache;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * Marks runs whose jobs read something with the rights of whoever started the run. Others in the folder of the run may
 * have fewer rights, so no result that follows from what was read goes to the result cache.
 *
 * <p>What follows from it is not known: steps hand on results, data of the run, signals and files. So from the reading
 * on, no result counts of the run, of the runs that have started it and may see its output, and of the runs that it
 * starts. The mark is a row of {@code result_cache_call} with a step key that no step can have.
 */
public final class UncachedRunStore {
    /** Step key of the mark. Ids of steps have no such character. */
    static final String MARK = "#uncached";

    private static final String BUCKET = "(('x' || right(%s::text, 3))::bit(12)::int & 1023)::smallint";

    private static final String ADD = """
            with recursive runs(run_id) as (
                select ?::uuid
                union select o.origin_run_id from runs r join run_origin o on o.run_id = r.run_id
                where o.relation in ('start_run', 'child_run')
            )
            insert into result_cache_call (bucket, run_id, step_key, workspace, key, ttl_millis)
            select %s, run_id, '%s', ?::text, sha256(''), 1 from runs
            on conflict do nothing
            """.formatted(BUCKET.formatted("run_id"), MARK);

    private final Database database;

    public UncachedRunStore(Database database) {
        this.database = requireNonNull(database, "database");
    }

    /** Call this before a job of the run gets what it reads. */
    public void add(Workspace workspace, RunId run) {
        database.run(dsl -> dsl.execute(ADD, run.value(), workspace.name()));
    }

    /**
     * SQL condition that a run is marked, or one from which it comes. A restart begins anew: it has nothing of the
     * other run.
     */
    static String isMarked(String run) {
        return """
                exists (
                    with recursive sources(run_id) as (
                        select %s
                        union select o.origin_run_id from sources s join run_origin o on o.run_id = any (array[s.run_id])
                        where o.relation <> 'restart'
                    )
                    select from sources s join result_cache_call m on m.bucket = any (array[%s])
                        and m.run_id = any (array[s.run_id]) and m.step_key = '%s'
                )""".formatted(run, BUCKET.formatted("s.run_id"), MARK);
    }
}
