package dev.millrace.scheduler.run;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldDays;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import java.time.Duration;

/** How long runs are kept once they have ended, and what was asked for when they were submitted. */
public final class RunRetention {
    /**
     * Of a run its root job goes first: a retry, which takes that row back into the queue, finds the run whole or not at all, and what has no root job any
     * more is of no use to anyone.
     */
    public static final RetentionRule HISTORY = new OldDays(
            "job_history",
            "Ended runs with their steps",
            Since.id("id"),
            Age.HISTORY,
            "t.id = t.run_id or not exists (select from job_history r where r.id = t.run_id offset 0)");

    /** A submission that is sent again later begins a new run. */
    public static final RetentionRule SUBMISSIONS = OldRows.of(
            "submission",
            "Request ids of submissions",
            Since.time("created_at"),
            Age.setting("millrace.retention.submissions", Duration.ofDays(7)));

    public static final RetentionRule ORIGINS = OldRows.withRuns("run_origin", "Where runs come from");

    public static final RetentionRule OPTIONS = OldRows.withRuns("run_option", "Options of runs");

    private RunRetention() {}
}
