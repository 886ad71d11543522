package dev.millrace.scheduler.retention;

/**
 * SQL conditions on the run of a row. The {@code offset 0} makes Postgres look up each run by key; a join would read
 * whole tables.
 */
public final class RunConditions {
    private RunConditions() {}

    /** Whether the run stays at any age: it has not ended, or it is pinned. */
    public static String isHeld(String run) {
        return "(" + isLive(run) + " or exists (select from pinned_run p where p.run_id = " + run + " offset 0))";
    }

    private static String isLive(String run) {
        return "exists (select from job_queue q where q.id = " + run + " offset 0)";
    }

    /** Whether the run has a row neither in the queue nor in the history. */
    public static String isGone(String run) {
        return "not " + isLive(run) + " and not " + hasEnded(run, "true");
    }

    /** Whether the history has the run, with a row {@code h} that meets the condition. */
    static String hasEnded(String run, String condition) {
        return "exists (select from job_history h where h.id = " + run + " and " + condition + " offset 0)";
    }
}
