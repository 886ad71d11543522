package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The workload {@code steps} for half an hour: does it keep its speed, and do the queue's dead rows stay few? During
 * the second half, an open transaction holds the snapshot of its beginning, so that Postgres cannot remove rows that
 * died later.
 */
public final class Soak implements Workload {
    private static final int SECONDS = 1_800;
    /** Number of parts of each half; speed and dead rows are compared between the first and the last part. */
    private static final int PARTS = 5;

    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(15);

    private static final double BYTES_PER_MIB = 1 << 20;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String description() {
        return "steps for 30 minutes, the second half beside an old open transaction: speed and dead rows, early and late";
    }

    @Override
    public Duration limit(Bench bench) {
        return LIMIT.plus(bench.duration(SECONDS));
    }

    /** One round: its speed, and the state of the queue's table after it. */
    private record Round(double stepsPerSecond, long deadRows, long queueBytes) {}

    @Override
    public Figures run(Bench bench) throws Exception {
        Duration half = bench.duration(SECONDS).dividedBy(2);
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            List<Round> free = rounds(bench, installation, half, "no old transaction");
            List<Round> pinned;
            try (Connection old = installation.database().connect();
                    Statement statement = old.createStatement()) {
                old.setAutoCommit(false);
                old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.execute("select count(*) from job_queue");
                pinned = rounds(bench, installation, half, "an old transaction");
            }
            long runs = ManyRuns.WARM_UP_RUNS + (free.size() + (long) pinned.size()) * ManyRuns.RUNS;
            Records.checkHistory(installation, runs, Seq40.STEPS);
            Figures figures = new Figures(name())
                    .add("seconds", bench.duration(SECONDS).toSeconds())
                    .add("steps", runs * Seq40.STEPS);
            add(figures, "", free);
            add(figures, "old_transaction_", pinned);
            return figures;
        }
    }

    private List<Round> rounds(Bench bench, Installation installation, Duration time, String label) throws Exception {
        var rounds = new ArrayList<Round>();
        long end = System.nanoTime() + time.toNanos();
        long nextReport = System.nanoTime();
        while (System.nanoTime() < end || rounds.size() < PARTS) {
            double rate = ManyRuns.stepsPerSecond(installation, ManyRuns.RUNS);
            Round round = new Round(
                    rate,
                    installation.ask("select n_dead_tup from pg_stat_user_tables where relname = 'job_queue'"),
                    installation.ask("select pg_table_size('job_queue')"));
            rounds.add(round);
            if (System.nanoTime() - nextReport >= 0) {
                nextReport = System.nanoTime() + REPORT_INTERVAL.toNanos();
                bench.say("%s: %,.0f steps/s, %,d dead rows, queue of %,.1f MiB"
                        .formatted(label, rate, round.deadRows, round.queueBytes / BYTES_PER_MIB));
            }
        }
        Check.equal("jobs left in the queue", 0L, installation.ask("select count(*) from job_queue"));
        return rounds;
    }

    private static void add(Figures figures, String prefix, List<Round> rounds) {
        int part = rounds.size() / PARTS;
        List<Round> early = rounds.subList(0, part);
        List<Round> late = rounds.subList(rounds.size() - part, rounds.size());
        figures.add(prefix + "early_steps_per_second_median", rate(early))
                .add(prefix + "late_steps_per_second_median", rate(late))
                .add(prefix + "late_to_early_ratio", rate(late) / rate(early))
                .add(prefix + "early_dead_rows_max", deadRows(early))
                .add(prefix + "late_dead_rows_max", deadRows(late))
                .add(prefix + "early_queue_mib", early.getLast().queueBytes / BYTES_PER_MIB)
                .add(prefix + "late_queue_mib", late.getLast().queueBytes / BYTES_PER_MIB);
    }

    private static double rate(List<Round> rounds) {
        return Samples.of(rounds.stream().mapToDouble(Round::stepsPerSecond).toArray())
                .median();
    }

    private static long deadRows(List<Round> rounds) {
        return rounds.stream().mapToLong(Round::deadRows).max().orElseThrow();
    }
}
