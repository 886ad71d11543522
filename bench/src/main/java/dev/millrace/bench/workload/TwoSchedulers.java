package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;

/**
 * The workload {@code steps} with two workers: first both on one scheduler, then one on each of two schedulers that share the database
 * and take turns in accepting runs.
 */
public final class TwoSchedulers implements Workload {
    private static final int ROUNDS = 5;

    @Override
    public String name() {
        return "two-schedulers";
    }

    @Override
    public String description() {
        return "steps with two workers on two schedulers, compared with the same workers on one";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        ClusterPlan one = ClusterPlan.fast().withWorkers(0, 0);
        ClusterPlan two = ClusterPlan.fast().withSchedulers(2).withWorkers(0, 1);
        Rates alone = measure(bench, one, "one scheduler");
        Rates shared = measure(bench, two, "two schedulers");
        return new Figures(name())
                .add("rounds", (long) bench.rounds(ROUNDS))
                .add("one_scheduler_steps_per_second_median", alone.steps().median())
                .add("two_schedulers_steps_per_second_median", shared.steps().median())
                .add("one_scheduler_commits_per_1000_steps", alone.commitsPerThousand())
                .add("two_schedulers_commits_per_1000_steps", shared.commitsPerThousand())
                .add("two_to_one_ratio", shared.steps().median() / alone.steps().median());
    }

    private record Rates(Samples steps, double commitsPerThousand) {}

    private Rates measure(Bench bench, ClusterPlan plan, String label) throws Exception {
        bench.say(name() + ": " + label);
        try (Installation installation = bench.install(name(), plan)) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            long before = Records.commits(installation);
            double[] rates = ManyRuns.rounds(bench, installation, rounds, ManyRuns.RUNS);
            long commits = Records.commits(installation) - before;
            Records.checkHistory(installation, ManyRuns.WARM_UP_RUNS + (long) rounds * ManyRuns.RUNS, Seq40.STEPS);
            double thousands = rounds * (double) ManyRuns.RUNS * Seq40.STEPS / 1_000;
            return new Rates(Samples.of(rates), commits / thousands);
        }
    }
}
