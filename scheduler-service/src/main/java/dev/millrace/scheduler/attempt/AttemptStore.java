package dev.millrace.scheduler.attempt;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Attempts in Postgres that did not end their jobs, read only. Blocking and thread-safe. */
public final class AttemptStore {
    private static final String OF_RUN = """
            select job_id, attempt, began_at, ended_at, worker_name, error_name, error_message
            from job_attempt where run_id = ?::uuid order by job_id, attempt limit ?::int
            """;

    private final Database database;

    public AttemptStore(Database database) {
        this.database = database;
    }

    /** The first so many attempts of a run, by their jobs and numbers. */
    public List<EarlierAttempt> of(RunId run, int limit) {
        return database.run(dsl -> dsl.fetch(OF_RUN, run.value(), limit)).map(AttemptStore::read);
    }

    private static EarlierAttempt read(Record row) {
        return new EarlierAttempt(
                new JobId(row.get("job_id", UUID.class)),
                row.get("attempt", Integer.class),
                Optional.ofNullable(row.get("began_at", OffsetDateTime.class)).map(OffsetDateTime::toInstant),
                row.get("ended_at", OffsetDateTime.class).toInstant(),
                row.get("worker_name", String.class),
                JobError.permanent(row.get("error_name", String.class), row.get("error_message", String.class)));
    }
}
