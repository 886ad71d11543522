package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the flows whose time limit has passed, by the database's clock. */
final class DeadlineStore {
    /** Maximum number of runs that one call returns. */
    static final int OVERDUE_MAX = 1_000;

    private static final String OVERDUE = NamedCodes.expand("""
            select id from job_queue where state = {JobState.FLOW_RUNNING} and run_after is not null and run_after <= now() order by run_after limit ?
            """);
    private static final String NEXT_DUE = NamedCodes.expand("""
            select ceil(extract(epoch from min(run_after) - now()) * 1000)::bigint
            from job_queue where state = {JobState.FLOW_RUNNING} and run_after is not null
            """);

    private final Database database;

    DeadlineStore(Database database) {
        this.database = database;
    }

    List<RunId> overdue() {
        return database.run(context -> context.fetch(OVERDUE, OVERDUE_MAX).getValues(0, UUID.class)).stream()
                .map(RunId::new)
                .toList();
    }

    /** Time until the next time limit passes; empty if no flow has one. */
    Optional<Duration> nextDue() {
        return database.run(context -> Optional.ofNullable(context.fetchOne(NEXT_DUE))
                .map(row -> row.get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
