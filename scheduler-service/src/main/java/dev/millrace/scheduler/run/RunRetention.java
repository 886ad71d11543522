package dev.millrace.scheduler.run;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldDays;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Declares how long ended runs are kept, and the records of their submission. */
public final class RunRetention {
    /**
     * The root job of a run is removed first. A retry returns that row to the queue, so it finds the run either whole
     * or not at all. Steps without a root job are of no use to anyone.
     */
    public static final RetentionRule HISTORY = new OldDays(
            "job_history",
            "Ended runs with their steps",
            Since.id("id"),
            Age.HISTORY,
            "t.id = t.run_id or not exists (select from job_history r where r.id = t.run_id offset 0)");

    /** A submission that is repeated after its request id was removed starts a new run. */
    public static final RetentionRule SUBMISSIONS = OldRows.of(
            "submission",
            "Request ids of submissions",
            Since.time("created_at"),
            Age.setting("millrace.retention.submissions", Duration.ofDays(7)));

    public static final RetentionRule ORIGINS = OldRows.withRuns("run_origin", "Where runs come from");

    public static final RetentionRule OPTIONS = OldRows.withRuns("run_option", "Options of runs");

    public static final List<TableRetention> TABLES =
            List.of(HISTORY, SUBMISSIONS, ORIGINS, OPTIONS, new NoRule("job_queue", "holds what has not ended"));

    private RunRetention() {}
}
