package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;

/**
 * The workload {@code steps} with two workers: both on one scheduler, and one on each of two schedulers that share a
 * database and accept runs in turns. Two installations exist at the same time and work in turns, so that disturbances
 * of the machine affect both.
 */
public final class TwoSchedulers implements Workload {
    private static final int ROUNDS = 9;

    /** Per scheduler: one that has done less work is slower. */
    private static final int WARM_UP_ROUNDS = 3;

    @Override
    public String name() {
        return "two-schedulers";
    }

    @Override
    public String description() {
        return "steps with two workers on two schedulers, and with the same workers on one, in turns";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        ClusterPlan onePlan = ClusterPlan.fast().withWorkers(0, 0);
        ClusterPlan twoPlan = ClusterPlan.fast().withSchedulers(2).withWorkers(0, 1);
        int rounds = bench.rounds(ROUNDS);
        try (Installation alone = bench.install(name() + "-one", onePlan);
                Installation shared = bench.install(name() + "-two", twoPlan)) {
            warmUp(bench, alone, WARM_UP_ROUNDS);
            warmUp(bench, shared, 2 * WARM_UP_ROUNDS);
            Arm one = new Arm(alone, rounds);
            Arm two = new Arm(shared, rounds);
            for (int round = 0; round < rounds; round++) {
                one.work(round);
                two.work(round);
                bench.say("round %d of %d: one scheduler %,.0f, two %,.0f steps/s"
                        .formatted(round + 1, rounds, one.rates[round], two.rates[round]));
            }
            check(alone, WARM_UP_ROUNDS + rounds);
            check(shared, 2 * WARM_UP_ROUNDS + rounds);
            return new Figures(name())
                    .add("rounds", (long) rounds)
                    .add("one_scheduler_steps_per_second_median", one.median())
                    .add("two_schedulers_steps_per_second_median", two.median())
                    .add("one_scheduler_commits_per_1000_steps", one.commitsPerThousand())
                    .add("two_schedulers_commits_per_1000_steps", two.commitsPerThousand())
                    .add("two_to_one_ratio", two.median() / one.median());
        }
    }

    /** One of the two installations and its results. */
    private static final class Arm {
        private final Installation installation;
        private final double[] rates;
        private long commits;

        Arm(Installation installation, int rounds) {
            this.installation = installation;
            this.rates = new double[rounds];
        }

        void work(int round) throws Exception {
            // The server counts transactions of all its databases; the other installation is idle.
            long before = Records.commits(installation);
            rates[round] = ManyRuns.stepsPerSecond(installation, ManyRuns.RUNS);
            commits += Records.commits(installation) - before;
        }

        double median() {
            return Samples.of(rates).median();
        }

        double commitsPerThousand() {
            return commits / (rates.length * (double) ManyRuns.RUNS * Seq40.STEPS / 1_000);
        }
    }

    private static void warmUp(Bench bench, Installation installation, int rounds) throws Exception {
        installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
        ManyRuns.rounds(bench, installation, rounds, ManyRuns.RUNS);
    }

    private static void check(Installation installation, int rounds) throws Exception {
        Records.checkHistory(installation, (long) rounds * ManyRuns.RUNS, Seq40.STEPS);
    }
}
