package dev.millrace.scheduler.data;

import dev.millrace.scheduler.database.Database;

/** Takes away logs that came after their run had ended and its steps were erased. */
final class ErasedRunStore {
    /** Most runs that one call looks at. */
    static final int SWEEP_BATCH_MAX = 1_000;

    /** No worker sends logs of a job for longer than this after its end. */
    private static final String SWEEP = """
            with done as (
                delete from erased_run where run_id in
                    (select run_id from erased_run where ended_at < now() - interval '1 hour' limit ? for update skip locked)
                returning run_id, step_keys
            ), silenced as (
                delete from job_log l using done d
                where l.run_id = d.run_id and exists (select 1 from unnest(d.step_keys) k where l.step_key ~ k)
            )
            select count(*) from done
            """;

    private final Database database;

    ErasedRunStore(Database database) {
        this.database = database;
    }

    int sweep() {
        return database.run(dsl -> dsl.fetchSingle(SWEEP, SWEEP_BATCH_MAX).get(0, Integer.class));
    }
}
