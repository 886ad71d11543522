package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.DueWait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the delayed jobs and the waits that are due, by the database's clock. */
final class DelayedJobStore {
    /** Maximum number of jobs that one call makes claimable, and of waits that one call takes. */
    static final int BATCH_MAX = 1_000;
    /** How long other schedulers leave a taken wait alone. */
    static final Duration TAKEN_TIME = Duration.ofSeconds(3);

    private static final String PROMOTE = NamedCodes.expand("""
            with due as (
                select bucket, id from job_queue where state = {JobState.DELAYED} and kind <> {JobKind.WAIT} and run_after <= now()
                order by run_after limit ? for update skip locked
            )
            update job_queue q set state = case when q.held then {JobState.HELD} else {JobState.QUEUED} end from due where q.bucket = due.bucket and q.id = due.id returning q.tag
            """);
    private static final String TAKE_WAITS = NamedCodes.expand("""
            with due as (
                select bucket, id from job_queue where kind = {JobKind.WAIT} and run_after is not null and run_after <= now()
                order by run_after limit ? for update skip locked
            )
            update job_queue q set run_after = now() + ? * interval '1 millisecond'
            from due where q.bucket = due.bucket and q.id = due.id
            returning q.id, q.run_id, q.step_key, q.state
            """);
    private static final String NEXT_DUE = NamedCodes.expand("""
            select ceil(extract(epoch from least(
                (select min(run_after) from job_queue where state = {JobState.DELAYED} and kind <> {JobKind.WAIT}),
                (select min(run_after) from job_queue where kind = {JobKind.WAIT} and run_after is not null)) - now()) * 1000)::bigint
            """);

    private final Database database;

    DelayedJobStore(Database database) {
        this.database = database;
    }

    /** Makes due jobs claimable. Returns the tag of each. */
    List<String> promote() {
        return database.run(context -> context.fetch(PROMOTE, BATCH_MAX).getValues(0, String.class));
    }

    /** Takes due waits for {@link #TAKEN_TIME}. A wait that has not ended by then is found again. */
    List<DueWait> takeWaits() {
        return database.run(context -> context.fetch(TAKE_WAITS, BATCH_MAX, TAKEN_TIME.toMillis())
                .map(row -> new DueWait(
                        new JobId(row.get(0, UUID.class)),
                        new RunId(row.get(1, UUID.class)),
                        row.get(2, String.class),
                        row.get(3, Integer.class) == JobState.SUSPENDED.code())));
    }

    /** Time until the next job or wait is due; empty if there is none. */
    Optional<Duration> nextDue() {
        return database.run(context -> Optional.ofNullable(context.fetchOne(NEXT_DUE))
                .map(row -> row.get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
