package dev.millrace.scheduler.retention;

/** Conditions on runs, as SQL. An {@code offset 0} keeps Postgres from reading whole tables for many look-ups by key. */
public final class Runs {
    private Runs() {}

    /** Whether the run whose id this is stays however old it is: it has not ended, or somebody has pinned it. */
    public static String isHeld(String run) {
        return "(" + isLive(run) + " or exists (select from pinned_run p where p.run_id = " + run + " offset 0))";
    }

    private static String isLive(String run) {
        return "exists (select from job_queue q where q.id = " + run + " offset 0)";
    }

    /** Whether the run has neither a row in the queue nor one in the history. */
    public static String isGone(String run) {
        return "not " + isLive(run) + " and not " + hasEnded(run, "true");
    }

    /** Whether the history has the run, and this holds for its row {@code h}. */
    static String hasEnded(String run, String condition) {
        return "exists (select from job_history h where h.id = " + run + " and " + condition + " offset 0)";
    }
}
