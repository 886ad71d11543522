package dev.millrace.scheduler.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the doctor reads from a database.
 *
 * @param serverVersion as Postgres numbers it: 140005 is 14.5
 * @param settings values of some settings
 * @param clockAhead how far the server's clock is ahead of this machine's; negative if it is behind
 * @param clockTolerance how wrong {@code clockAhead} may be: half of the round trip
 * @param isReadOnly whether the server rejects writes
 * @param connections open connections to the server
 * @param transactionIdsUsed part of the transaction ids that are used up, from 0 to 1
 * @param oldestTransaction age of the oldest open transaction
 * @param deadRows tables with many rows that wait for vacuum, with their number
 * @param schemaVersion version of the schema; empty if Millrace has not used this database
 * @param workers live workers
 * @param unserved tags with jobs that no live worker takes
 * @param stuckRuns ids of runs that wait for nothing; at most {@link DoctorStore#RUNS_MAX}
 * @param pausedTags tags that have been paused for an hour, the longest first
 * @param drained workers that have been drained for an hour, the longest first
 * @param missing secrets and resources that something needs and that do not exist
 */
record DatabaseFacts(
        int serverVersion,
        Map<String, String> settings,
        Duration clockAhead,
        Duration clockTolerance,
        boolean isReadOnly,
        int connections,
        double transactionIdsUsed,
        Duration oldestTransaction,
        Map<String, Long> deadRows,
        String schemaVersion,
        List<LiveWorker> workers,
        List<Unserved> unserved,
        List<String> stuckRuns,
        List<PausedTag> pausedTags,
        List<DrainedWorker> drained,
        List<Missing> missing) {
    /** A worker and the version of its program. */
    record LiveWorker(String name, String version) {}

    /** Jobs of a tag that wait, and the age of the oldest. */
    record Unserved(String tag, long jobs, Duration oldest) {}

    /** A paused tag: who paused it, why, how long ago, and whether jobs wait for it. */
    record PausedTag(String tag, String actor, String reason, Duration age, boolean hasJobs) {}

    /** A drained worker: who drains it, why and for how long. */
    record DrainedWorker(String name, String actor, String reason, Duration age) {}

    /** A secret or resource that does not exist, and what needs it, each with its kind in front of its path. */
    record Missing(String workspaceName, String needed, String by) {
        /** Largest number that are named. */
        static final int NAMED_MAX = 20;

        String text() {
            return "the " + needed + " by the " + by + " in workspace " + workspaceName;
        }
    }

    String setting(String name) {
        return settings.getOrDefault(name, "");
    }
}
