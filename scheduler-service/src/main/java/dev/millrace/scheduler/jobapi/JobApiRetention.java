package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long mutexes and data of runs are kept. */
public final class JobApiRetention {
    /** A mutex is free once it has expired, even if its row still exists. */
    public static final RetentionRule MUTEXES = OldRows.of(
            "mutex", "Mutexes that were not given back", Since.time("expires_at"), Age.fixed(Duration.ofHours(1)));

    /** Kept as long as the run, because a retry from a step needs the data of the steps before it. */
    public static final RetentionRule RUN_DATA = OldRows.withRuns("run_data", "Data that steps of a run share");

    /** A retry of a step begins a new job, which knows nothing of them. */
    public static final RetentionRule STARTED_RUNS =
            OldRows.withRuns("job_started_run", "Which runs the jobs of a run have started");

    public static final List<TableRetention> TABLES = List.of(
            RUN_DATA,
            MUTEXES,
            STARTED_RUNS,
            new NoRule(
                    "script_state", "later runs read it; a workspace has few, and a script deletes its own with null"));

    private JobApiRetention() {}
}
