package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import java.util.Arrays;

/**
 * Cost of a small expression: the same flow of Python steps with plain paths and with sums, in turns, and a flow of
 * steps that only add.
 */
public final class Expressions implements Workload {
    private static final String PLAIN = "bench-paths";
    private static final String SUMS = "bench-sums";
    private static final String VALUES = "bench-values";
    private static final int STEPS = 40;
    private static final int NUMBER = 10;
    private static final int WARM_UPS = 60;
    private static final int RUNS = 40;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "expressions";
    }

    @Override
    public String description() {
        return "flows of 40 sequential Python steps whose inputs are paths, and sums, in turns; and 40 steps that only add; 40 runs each after 60";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(PLAIN, STEPS, "${{ inputs.n }}"));
            installation.deploy(FlowFiles.sequence(SUMS, STEPS, "${{ inputs.n + 0 }}"));
            installation.deploy(FlowFiles.additions(VALUES, STEPS));
            int runs = bench.rounds(RUNS);
            bench.say(name() + ": " + runs + " runs of each flow after " + WARM_UPS);
            var paths = new double[WARM_UPS + runs];
            var sums = new double[WARM_UPS + runs];
            var values = new double[WARM_UPS + runs];
            for (int i = 0; i < paths.length; i++) {
                paths[i] = stepMillis(installation, PLAIN, Seq40.RESULT);
                sums[i] = stepMillis(installation, SUMS, Seq40.RESULT);
                values[i] = stepMillis(installation, VALUES, Integer.toString(NUMBER + STEPS));
            }
            double path = median(paths);
            double sum = median(sums);
            return new Figures(name())
                    .add("runs_of_each", (long) runs)
                    .add("steps_per_run", (long) STEPS)
                    .add("path_step_median_ms", path)
                    .add("sum_step_median_ms", sum)
                    .add("sum_costs_ms", sum - path)
                    .add("value_step_median_ms", median(values));
        }
    }

    private static double stepMillis(Installation installation, String flow, String result) throws Exception {
        long start = System.nanoTime();
        EndedRun run = installation.call(flow, "{\"n\":" + NUMBER + "}");
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(result);
        return millis / STEPS;
    }

    private static double median(double[] millis) {
        return Samples.of(Arrays.copyOfRange(millis, WARM_UPS, millis.length)).median();
    }
}
