package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Store of the time limits of flows: a flow in progress keeps the end of its time in {@code run_after}. */
final class DeadlineStore implements DeadlineRows {
    private static final String PASSED = NamedCodes.expand("""
            select id from job_queue where state = {JobState.FLOW_RUNNING} and run_after is not null and run_after <= now() order by run_after limit ?
            """);

    /** Skips rows that a lane has locked: it changes the run, which is then tried again at once. */
    private static final String POSTPONE = NamedCodes.expand("""
            with overdue as (
                select bucket, id from job_queue where id = any (?) and state = {JobState.FLOW_RUNNING} and run_after <= now()
                order by id for update skip locked
            )
            update job_queue q set run_after = now() + ? * interval '1 millisecond'
            from overdue o where q.bucket = o.bucket and q.id = o.id
            """);

    private static final String NEXT = NamedCodes.expand("""
            select ceil(extract(epoch from min(run_after) - now()) * 1000)::bigint
            from job_queue where state = {JobState.FLOW_RUNNING} and run_after is not null
            """);

    private final Database database;

    DeadlineStore(Database database) {
        this.database = database;
    }

    @Override
    public List<RunId> passed(int max) {
        return database.run(sql -> sql.fetch(PASSED, max).getValues(0, UUID.class)).stream()
                .map(RunId::new)
                .toList();
    }

    /** Does nothing, because the end of a flow removes its row. */
    @Override
    public void settle(Collection<RunId> runs) {}

    @Override
    public void postpone(Collection<RunId> runs, Duration time) {
        if (!runs.isEmpty()) {
            UUID[] ids = runs.stream().map(RunId::value).toArray(UUID[]::new);
            database.run(sql -> sql.execute(POSTPONE, ids, time.toMillis()));
        }
    }

    @Override
    public Optional<Duration> untilNext() {
        return database.run(sql -> Optional.ofNullable(sql.fetchSingle(NEXT).get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
