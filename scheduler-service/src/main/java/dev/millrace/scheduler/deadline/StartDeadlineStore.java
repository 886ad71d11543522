package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Store of start deadlines in Postgres, whose clock decides whether they have passed. */
final class StartDeadlineStore {
    /** Maximum number of runs that one call of {@link #passed} returns. */
    static final int PASSED_MAX = 1_000;

    /** Time until the next attempt to cancel a run whose cancellation failed, so that such runs delay no others. */
    static final Duration POSTPONEMENT = Duration.ofMinutes(1);

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

    /** Runs whose deadlines have passed, earliest deadline first; at most {@link #PASSED_MAX}. */
    List<RunId> passed() {
        return database.run(sql -> sql.fetch(PASSED, PASSED_MAX).getValues(0, UUID.class)).stream()
                .map(RunId::new)
                .toList();
    }

    /** Forgets passed deadlines. */
    void settle(Collection<RunId> runs) {
        if (!runs.isEmpty()) {
            database.run(sql -> sql.execute(SETTLE, (Object) ids(runs)));
        }
    }

    /** Moves passed deadlines into the future, by {@link #POSTPONEMENT}. */
    void postpone(Collection<RunId> runs) {
        if (!runs.isEmpty()) {
            database.run(sql -> sql.execute(POSTPONE, POSTPONEMENT.toMillis(), ids(runs)));
        }
    }

    private static UUID[] ids(Collection<RunId> runs) {
        return runs.stream().map(RunId::value).toArray(UUID[]::new);
    }

    /** Time until the next deadline; empty if there is none. */
    Optional<Duration> untilNext() {
        return database.run(sql -> Optional.ofNullable(sql.fetchSingle(NEXT).get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }
}
