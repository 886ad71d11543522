package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.wake.DeadlineRows;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Store of start deadlines in Postgres, whose clock decides whether they have passed. */
final class StartDeadlineStore implements DeadlineRows {
    private static final String PASSED =
            "select run_id from run_option where start_by is not null and start_by <= now() order by start_by limit ?";
    /** Keeps later deadlines: a run that waits for further submissions may have received one in the meantime. */
    private static final String SETTLE =
            "update run_option set start_by = null where run_id = any (?) and start_by <= now()";

    private static final String POSTPONE =
            "update run_option set start_by = now() + ? * interval '1 millisecond' where run_id = any (?) and start_by <= now()";

    private static final String NEXT = """
            select ceil(extract(epoch from min(start_by) - now()) * 1000)::bigint from run_option where start_by is not null
            """;

    private final Database database;

    StartDeadlineStore(Database database) {
        this.database = database;
    }

    @Override
    public List<RunId> passed(int max) {
        return database.run(sql -> sql.fetch(PASSED, max).getValues(0, UUID.class)).stream()
                .map(RunId::new)
                .toList();
    }

    @Override
    public void settle(Collection<RunId> runs) {
        if (!runs.isEmpty()) {
            database.run(sql -> sql.execute(SETTLE, (Object) ids(runs)));
        }
    }

    @Override
    public void postpone(Collection<RunId> runs, Duration time) {
        if (!runs.isEmpty()) {
            database.run(sql -> sql.execute(POSTPONE, time.toMillis(), ids(runs)));
        }
    }

    private static UUID[] ids(Collection<RunId> runs) {
        return runs.stream().map(RunId::value).toArray(UUID[]::new);
    }

    @Override
    public Optional<Duration> untilNext() {
        return database.run(sql -> Optional.ofNullable(sql.fetchSingle(NEXT).get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
