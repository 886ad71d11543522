package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.JvmProbe;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.Step;
import java.time.Duration;
import java.util.List;

/** One graph of 5,000 steps: a step near the end must cost as much as one near the beginning. */
public final class Dag5000 implements Workload {
    private static final String FLOW = "bench-dag5000";
    private static final int STEPS = 5_000;
    private static final int WIDTH = 10;
    private static final int WARM_UPS = 2;
    private static final int RUNS = 5;
    /** Steps left out at both ends, where a run begins and ends. */
    private static final int MARGIN = 50;
    /** Steps measured on either side, at most one in {@link #WINDOW_SHARE} of all. */
    private static final int WINDOW = 500;

    private static final int WINDOW_SHARE = 5;
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(20);
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;

    @Override
    public String name() {
        return "dag5000";
    }

    @Override
    public String description() {
        return "a graph of 5,000 steps, each needs two: CPU of the scheduler and time a step near step 50 and near 5,000";
    }

    /** CPU of the scheduler and time of some steps, in microseconds. */
    private record Cost(double cpuMicros, double micros) {
        Cost plus(Cost other) {
            return new Cost(cpuMicros + other.cpuMicros, micros + other.micros);
        }
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            int layers = Math.max(1, bench.size(STEPS) / WIDTH);
            int steps = layers * WIDTH;
            installation.deploy(FlowFiles.layers(FLOW, layers, WIDTH));
            for (int i = 0; i < WARM_UPS; i++) {
                installation.call(FLOW, "{}").check(Integer.toString(layers));
            }
            int runs = bench.rounds(RUNS);
            bench.say(name() + ": " + runs + " runs of " + steps + " steps");
            int window = Math.min(WINDOW, steps / WINDOW_SHARE);
            Cost early = new Cost(0, 0);
            Cost late = new Cost(0, 0);
            var totals = new double[runs];
            JvmProbe scheduler = installation.schedulerProbe();
            Measurement measurement = Measurement.begin(bench, installation, name());
            for (int i = 0; i < runs; i++) {
                try (Sampler cpu = Sampler.every(SAMPLE_INTERVAL, scheduler::cpuSeconds)) {
                    long start = WallClock.micros();
                    EndedRun run = installation.call(FLOW, "{}");
                    totals[i] = (WallClock.micros() - start) / MICROS_PER_MILLI;
                    run.check(Integer.toString(layers));
                    List<Long> ends = ends(installation.steps(run.id()), steps);
                    early = early.plus(cost(cpu, ends, MARGIN, window));
                    late = late.plus(cost(cpu, ends, steps - MARGIN - window, window));
                }
            }
            var used = measurement.end((long) runs * steps);
            // The last step of the flow leaves a record, too.
            Records.checkHistory(installation, WARM_UPS + runs, steps + 1L);
            double counted = (double) runs * window;
            Figures figures = new Figures(name())
                    .add("runs", (long) runs)
                    .add("steps", (long) steps)
                    .add("submit_to_result_median_ms", Samples.of(totals).median())
                    .add("steps_looked_at_on_either_side", (long) window)
                    .add("early_cpu_us_per_step", early.cpuMicros / counted)
                    .add("late_cpu_us_per_step", late.cpuMicros / counted)
                    .add("late_to_early_cpu_ratio", late.cpuMicros / early.cpuMicros)
                    .add("early_us_per_step", early.micros / counted)
                    .add("late_us_per_step", late.micros / counted)
                    .add("late_to_early_time_ratio", late.micros / early.micros);
            return bench.compareFusedRate(figures, steps / Samples.of(totals).median() * MICROS_PER_MILLI)
                    .addAll(used);
        }
    }

    /** End times of the steps, in ascending order. */
    private static List<Long> ends(List<Step> all, int expected) {
        List<Step> steps =
                all.stream().filter(step -> step.getKey().startsWith("l")).toList();
        Check.equal("the number of steps", expected, steps.size());
        Check.equal(
                "the number of different steps",
                (long) expected,
                steps.stream().map(Step::getKey).distinct().count());
        return steps.stream()
                .map(step -> Records.micros(step.getEndTime()))
                .sorted()
                .toList();
    }

    private static Cost cost(Sampler cpuSeconds, List<Long> ends, int first, int steps) {
        long from = ends.get(first);
        long to = ends.get(Math.min(first + steps, ends.size() - 1));
        return new Cost((cpuSeconds.at(to) - cpuSeconds.at(from)) * MICROS_PER_SECOND, to - from);
    }
}
