package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Usage;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.Map;

/** One minute without work: what a whole installation uses, including the gateway and warm processes. */
public final class Idle implements Workload {
    private static final int SECONDS = 60;
    /** Time for the aftermath of the last run: statistics, garbage collection, an automatic checkpoint. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private static final String CLIENT = "client";
    private static final double PERCENT = 100;
    private static final String TRANSACTIONS =
            "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()";

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String description() {
        return "nothing to do for 60 s after some runs: CPU of every process and of Postgres, transactions";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation =
                bench.install(name(), ClusterPlan.fast().withGateway())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            installation.call(Seq40.FLOW, "{}").check(Seq40.RESULT);
            // The first query of the usage causes some work itself.
            installation.usage();
            Thread.sleep(SETTLE);
            Duration duration = bench.duration(SECONDS);
            bench.say(name() + ": " + duration.toSeconds() + " s of nothing");
            long transactionsBefore = installation.ask(TRANSACTIONS);
            Usage before = installation.usage();
            Thread.sleep(duration);
            Usage after = installation.usage();
            Records.checkHistory(installation, 1, Seq40.STEPS);
            Figures figures = new Figures(name()).add("seconds", duration.toSeconds());
            double total = 0;
            for (Map.Entry<String, Double> process :
                    after.cpuSecondsSince(before).entrySet()) {
                if (!process.getKey().equals(CLIENT)) {
                    figures.add(process.getKey() + "_cpu_seconds", process.getValue());
                    total += process.getValue();
                }
            }
            return figures.add("percent_of_one_core", total / duration.toSeconds() * PERCENT)
                    .add("transactions", installation.ask(TRANSACTIONS) - transactionsBefore)
                    .add("writing_transactions", after.commits() - before.commits());
        }
    }
}
