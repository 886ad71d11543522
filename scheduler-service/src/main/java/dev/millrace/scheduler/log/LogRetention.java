package dev.millrace.scheduler.log;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldDays;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Declares how long logs are kept. */
public final class LogRetention {
    /** Logs may expire before their runs do. */
    public static final RetentionRule LOGS = new OldDays(
            "job_log",
            "Logs of runs",
            Since.id("job_id"),
            Age.setting("millrace.retention.logs", Duration.ofDays(14)),
            "true");

    /**
     * Erases late logs of runs that were erased. No worker sends logs of a job for longer than this age after the job's
     * end.
     */
    public static final RetentionRule ERASED_RUNS = OldRows.of(
                    "erased_run",
                    "Runs whose late logs are to be erased",
                    Since.time("ended_at"),
                    Age.fixed(Duration.ofHours(1)))
            .alongside("""
                    delete from job_log l using gone g
                    where l.run_id = g.run_id and exists (select 1 from unnest(g.step_keys) k where l.step_key ~ k)
                    """);

    public static final List<TableRetention> TABLES = List.of(LOGS, ERASED_RUNS);

    private LogRetention() {}
}
