package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;

/**
 * Keeps results out of the result cache that depend on what a job read with the rights of whoever started its run.
 * Others in the folder of the run may have fewer rights, and would be given such a result.
 */
final class UncachedRunStore {
    /**
     * Forgets that the results of the job's run, and of those that it is a part of, are to be cached. Several steps may
     * run at once, and none tells the others what it has read, so all of them count.
     */
    private static final String FORGET =
            LeaseCredential.LEASE.replace("with lease", "with recursive lease").replace("for share", "") + """
            , runs(run_id) as (
                select run_id from lease
                union select o.origin_run_id from runs r join run_origin o on o.run_id = r.run_id
            )
            delete from result_cache_call c using runs r
            where c.run_id = r.run_id and c.bucket = (('x' || right(r.run_id::text, 3))::bit(12)::int & 1023)
            """;

    private final Database database;

    UncachedRunStore(Database database) {
        this.database = database;
    }

    /** Call this before the job gets a value. If its lease is no longer held, nothing happens. */
    void add(LeaseCredential lease) {
        database.run(dsl -> dsl.execute(
                FORGET,
                lease.job().bucket().value(),
                lease.job().value(),
                lease.token().value()));
    }
}
