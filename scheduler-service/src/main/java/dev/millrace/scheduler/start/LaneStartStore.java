package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/** Reads pending runs and their limits over a lane's connection. */
final class LaneStartStore {
    private static final LaneQuery FIND_TO_START = new LaneQuery(
            "select * from job_queue where bucket = ? and id = ? and state + 0 = {JobState.TO_START} and not held");

    private static final LaneQuery IS_NEXT = new LaneQuery("""
            select (select count(*) from (select from job_queue where limit_key = ? and state = {JobState.FLOW_RUNNING} limit ?) q) < ?
               and not exists (select 1 from job_queue where limit_key = ? and state + 0 = {JobState.TO_START} and not held
                   and (run_after is null or run_after <= now()) and (order_key, id) < (?, ?)) as is_next
            """);

    private static final LaneQuery UNTIL_ROOM = new LaneQuery("""
            select greatest(0, ceil(extract(epoch from begun_at - clock_timestamp()) * 1000 + ?))::int8 as wait_millis
            from limited_begin where limit_key = ? order by begun_at desc offset ? limit 1
            """);

    private static final LaneQuery IS_OVERDUE = new LaneQuery(
            "select 1 from job_queue where bucket = ? and id = ? and state + 0 = {JobState.FLOW_RUNNING} and run_after <= now()");

    private static final LaneQuery REPEATS_RUN =
            new LaneQuery("select 1 from run_origin where run_id = ? and relation in ('restart', 'rerun')");

    private final LaneConnection db;

    LaneStartStore(LaneConnection db) {
        this.db = db;
    }

    /** Returns a pending run. */
    Optional<WaitingRun> findToStart(RunId run) throws DatabaseLost {
        return db.first(
                FIND_TO_START,
                row -> new WaitingRun(
                        JobColumns.read(row),
                        row.getLong("version"),
                        Optional.ofNullable(row.getString("limit_key")),
                        row.getString("debounce_key") != null),
                run.bucket().value(),
                run.value());
    }

    /**
     * Returns whether the limit allows another run in progress, and this run is the first in line among those that are
     * due.
     */
    boolean isNext(RunAdmission admission) throws DatabaseLost {
        RunId run = admission.run();
        // If the limit does not restrict the number of runs in progress, no run is counted.
        int counted = admission.runsMax().orElse(0);
        int runsMax = admission.runsMax().orElse(1);
        return db.query(
                        IS_NEXT,
                        row -> row.getBoolean("is_next"),
                        admission.limitKey(),
                        counted,
                        runsMax,
                        admission.limitKey(),
                        run.orderKey(),
                        run.value())
                .getFirst();
    }

    /** Returns the time until the rate allows another run to begin; zero if it does now. */
    Duration untilRoom(String limitKey, JobLimit.Rate rate) throws DatabaseLost {
        return db.first(
                        UNTIL_ROOM,
                        row -> Duration.ofMillis(row.getLong("wait_millis")),
                        rate.per().toMillis(),
                        limitKey,
                        rate.count() - 1)
                .orElse(Duration.ZERO);
    }

    /** Returns whether somebody restarted another run as this one, or reran it from a step. */
    boolean repeatsRun(RunId run) throws DatabaseLost {
        return db.exists(REPEATS_RUN, run.value());
    }

    /** Returns whether the time limit of the run has expired. */
    boolean isOverdue(RunId run) throws DatabaseLost {
        return db.exists(IS_OVERDUE, run.bucket().value(), run.value());
    }
}
