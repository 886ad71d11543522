package dev.millrace.scheduler.run.search;

/**
 * Number of runs that match a search, as far as it was counted.
 *
 * @param isCapped whether more runs match
 */
public record RunCount(int runs, boolean isCapped) {
    /** Number of runs beyond which nobody counts. */
    static final int RUNS_MAX = 10_000;

    static RunCount of(int found) {
        return new RunCount(Math.min(found, RUNS_MAX), found > RUNS_MAX);
    }
}
