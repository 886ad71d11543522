package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the steps that are under way in runs of which no step has ended, so that no row says when these runs began. */
final class LiveStartStore {
    private static final String UNDER_WAY = NamedCodes.expand("""
            select step.run_id, step.id, case when step.state = {JobState.LEASED} then null else step.created_at end as began
            from unnest(?::uuid[]) as run(id) cross join lateral (
                select q.run_id, q.id, q.state, q.created_at from job_queue q
                where q.run_id = run.id and q.id <> run.id
                    and (q.state = {JobState.LEASED} or q.kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN}))
                limit ?
            ) step
            """);

    private final Database database;

    LiveStartStore(Database database) {
        this.database = database;
    }

    /**
     * A step that is under way.
     *
     * @param began absent if a worker has it, whose scheduler knows when it began
     */
    record LiveStep(RunId run, JobId job, Optional<Instant> began) {}

    /** Up to {@code stepsMax} steps of each run, in any order. */
    List<LiveStep> underWay(List<RunId> runs, int stepsMax) {
        UUID[] ids = runs.stream().map(RunId::value).toArray(UUID[]::new);
        return database.run(dsl -> dsl.fetch(UNDER_WAY, ids, stepsMax).stream()
                .map(row -> new LiveStep(
                        new RunId(row.get("run_id", UUID.class)),
                        new JobId(row.get("id", UUID.class)),
                        Optional.ofNullable(row.get("began", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant)))
                .toList());
    }
}
