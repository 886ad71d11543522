package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;

/** 200 concurrent runs of the 40-step flow: throughput of the whole system in steps a second. */
public final class Steps implements Workload {
    private static final int ROUNDS = 5;

    /** Rounds between those of freshly started services and those of services in use. */
    private static final int ROUNDS_BETWEEN = 10;

    private static final int RUNS_CHECKED_FOR_ORDER = 20;

    @Override
    public String name() {
        return "steps";
    }

    @Override
    public String description() {
        return "200 runs of the 40-step flow at once; 100 runs of warm-up, 5 rounds; and 5 rounds after 10 more";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            int runs = bench.size(ManyRuns.RUNS);
            Measurement measurement = Measurement.begin(bench, installation, name());
            double[] rates = ManyRuns.rounds(bench, installation, rounds, runs);
            var used = measurement.end((long) rounds * runs * Seq40.STEPS);
            ManyRuns.rounds(bench, installation, ROUNDS_BETWEEN, runs);
            Samples inUse = Samples.of(ManyRuns.rounds(bench, installation, rounds, runs));
            Records.checkHistory(
                    installation, ManyRuns.WARM_UP_RUNS + (2L * rounds + ROUNDS_BETWEEN) * runs, Seq40.STEPS);
            ManyRuns.checkOrderOfLastRuns(installation, RUNS_CHECKED_FOR_ORDER);
            Samples rate = Samples.of(rates);
            Figures figures = new Figures(name())
                    .add("runs_at_once", (long) runs)
                    .add("steps_per_run", (long) Seq40.STEPS)
                    .add("rounds", (long) rounds)
                    .add("steps_per_second_median", rate.median())
                    .add("steps_per_second_best", rate.highest())
                    .add("in_use_steps_per_second_median", inUse.median())
                    .add("in_use_steps_per_second_best", inUse.highest());
            return bench.compareFusedRate(figures, rate.median()).addAll(used);
        }
    }
}
