package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Finds the delayed jobs whose time has come, by the database's clock. */
final class DelayedJobStore {
    /** Most jobs that one call makes claimable. */
    static final int PROMOTED_MAX = 1_000;

    private static final String PROMOTE = """
            with due as (
                select bucket, id from job_queue where state = 3 and run_after <= now()
                order by run_after limit ? for update skip locked
            )
            update job_queue q set state = case when q.held then 6 else 1 end from due where q.bucket = due.bucket and q.id = due.id returning q.tag
            """;
    private static final String NEXT_DUE = """
            select ceil(extract(epoch from min(run_after) - now()) * 1000)::bigint from job_queue where state = 3
            """;

    private final Database database;

    DelayedJobStore(Database database) {
        this.database = database;
    }

    /** Makes due jobs claimable; returns the tag of each. */
    List<String> promote() {
        return database.run(context -> context.fetch(PROMOTE, PROMOTED_MAX).getValues(0, String.class));
    }

    /** Time until the next delayed job is due; empty where there is none. */
    Optional<Duration> nextDue() {
        return database.run(context -> Optional.ofNullable(context.fetchOne(NEXT_DUE))
                .map(row -> row.get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
