package dev.millrace.bench;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the whole system has used since its start; the difference of two tells what some work cost. */
record Usage(
        double commits,
        double walBytes,
        double postgresSeconds,
        double schedulerSeconds,
        double workerSeconds,
        double runtimeSeconds) {
    private static final double STEPS_PER_UNIT = 1000;

    static Usage now(BenchCluster cluster) throws SQLException {
        long postgres = cluster.server().mainPid();
        long worker = cluster.cluster().worker(0).pid();
        return new Usage(
                cluster.ask("select xact_commit from pg_stat_database where datname = current_database()"),
                cluster.ask("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"),
                CpuClock.secondsOf(postgres) + CpuClock.secondsOfDescendants(postgres),
                CpuClock.secondsOf(cluster.cluster().scheduler(0).pid()),
                CpuClock.secondsOf(worker),
                CpuClock.secondsOfDescendants(worker));
    }

    /** What was used since an earlier moment, for each thousand of the steps that were run in between. */
    Map<String, Double> perThousandStepsSince(Usage start, long steps) {
        double units = steps / STEPS_PER_UNIT;
        var figures = new LinkedHashMap<String, Double>();
        figures.put("commits_per_1000_steps", (commits - start.commits) / units);
        figures.put("wal_bytes_per_1000_steps", (walBytes - start.walBytes) / units);
        figures.put("postgres_cpu_seconds_per_1000_steps", (postgresSeconds - start.postgresSeconds) / units);
        figures.put("scheduler_cpu_seconds_per_1000_steps", (schedulerSeconds - start.schedulerSeconds) / units);
        figures.put("worker_cpu_seconds_per_1000_steps", (workerSeconds - start.workerSeconds) / units);
        figures.put("python_cpu_seconds_per_1000_steps", (runtimeSeconds - start.runtimeSeconds) / units);
        return figures;
    }
}
