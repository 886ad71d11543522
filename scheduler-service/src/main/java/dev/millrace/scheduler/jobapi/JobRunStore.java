package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.UUID;

/** Runs that jobs have started, in Postgres. */
final class JobRunStore {
    private static final String FIND = LeaseCredential.LEASE.replace("for share", "") + """
            select q.attempt, s.attempt as started_in, s.started_run_id,
                (select count(*) from job_started_run other where other.job_id = lease.id) as started,
                coalesce((select o.depth from run_origin o where o.run_id = lease.run_id), 0) as depth
            from lease join job_queue q on q.bucket = lease.bucket and q.id = lease.id
            left join job_started_run s on s.job_id = lease.id and s.start_key = ?::text
            """;

    private static final String NOTE = """
            insert into job_started_run as s (run_id, job_id, start_key, attempt, started_run_id)
            values (?::uuid, ?::uuid, ?::text, ?::int, ?::uuid)
            on conflict (job_id, start_key) do update
            set attempt = excluded.attempt, started_run_id = excluded.started_run_id
            where s.started_run_id = ?::uuid
            """;

    private static final String NOTE_ORIGIN = """
            insert into run_origin (run_id, origin_run_id, relation, step_key, depth)
            values (?::uuid, ?::uuid, ?::text, ?::text, ?::smallint)
            """;

    private static final String MERGED =
            "update job_started_run set started_run_id = ?::uuid where job_id = ?::uuid and started_run_id = ?::uuid";

    private final Database database;

    JobRunStore(Database database) {
        this.database = database;
    }

    /**
     * A run that the job has started under a key.
     *
     * @param attempt in which it did
     */
    record Earlier(RunId run, int attempt) {}

    /**
     * What a job has started.
     *
     * @param attempt of the job
     * @param started number of its starts
     * @param depth number of runs that have started one another, down to the run of the job
     */
    record Starts(int attempt, int started, int depth, Optional<Earlier> earlier) {
        Starts {
            requireNonNull(earlier, "earlier");
        }
    }

    /** Empty if the lease is no longer held. */
    Optional<Starts> find(LeaseCredential lease, String key) {
        return database.run(dsl -> dsl.fetchOptional(
                        FIND,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value(),
                        key))
                .map(row -> new Starts(
                        row.get("attempt", Integer.class),
                        row.get("started", Integer.class),
                        row.get("depth", Integer.class),
                        Optional.ofNullable(row.get("started_run_id", UUID.class))
                                .map(run -> new Earlier(new RunId(run), row.get("started_in", Integer.class)))));
    }

    /**
     * Notes a run that is about to be accepted, with its origin.
     *
     * @param replaced the run that was noted under the key before
     * @return false if another call has noted a run under the key meanwhile
     */
    boolean note(
            LeaseCredential lease, JobSubject job, Starts starts, String key, RunId run, Optional<RunId> replaced) {
        return database.tryTransaction(dsl -> {
                    int noted = dsl.execute(
                            NOTE,
                            job.run().value(),
                            lease.job().value(),
                            key,
                            starts.attempt(),
                            run.value(),
                            replaced.map(RunId::value).orElse(null));
                    if (noted == 0) {
                        return Optional.empty();
                    }
                    dsl.execute(
                            NOTE_ORIGIN,
                            run.value(),
                            job.run().value(),
                            RunRelation.START_RUN.text(),
                            job.step(),
                            starts.depth() + 1);
                    return Optional.of(run);
                })
                .isPresent();
    }

    /** Notes that a submission was merged with another run. */
    void merged(LeaseCredential lease, RunId noted, RunId accepted) {
        database.run(dsl -> dsl.execute(MERGED, accepted.value(), lease.job().value(), noted.value()));
    }
}
