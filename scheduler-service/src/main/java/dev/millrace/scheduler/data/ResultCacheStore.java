package dev.millrace.scheduler.data;

import dev.millrace.scheduler.database.Database;

/** Drops results whose time is over, and calls that came to no result. What is kept and found is the lanes' work. */
final class ResultCacheStore {
    /** Most rows that one call drops. */
    static final int SWEEP_BATCH_MAX = 10_000;

    private static final String SWEEP_RESULTS = """
            delete from result_cache where (workspace, key) in
                (select workspace, key from result_cache where expires_at <= now() limit ? for update skip locked)
            """;
    /** A step or a run may be retried for a day and its result still be kept. */
    private static final String SWEEP_CALLS = """
            delete from result_cache_call where (bucket, run_id, step_key) in
                (select bucket, run_id, step_key from result_cache_call c
                 where created_at < now() - interval '1 day' and not exists
                     (select 1 from job_queue q where q.bucket = c.bucket and q.run_id = c.run_id and q.step_key = c.step_key)
                 limit ? for update skip locked)
            """;

    private final Database database;

    ResultCacheStore(Database database) {
        this.database = database;
    }

    int sweepResults() {
        return database.run(dsl -> dsl.execute(SWEEP_RESULTS, SWEEP_BATCH_MAX));
    }

    int sweepCalls() {
        return database.run(dsl -> dsl.execute(SWEEP_CALLS, SWEEP_BATCH_MAX));
    }
}
