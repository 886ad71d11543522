package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;

/** One run of a parallel loop over 400 light Python items, 10 at a time on 10 slots. */
public final class Fanout400 implements Workload {
    private static final int ITEMS = 400;
    private static final int SLOTS = 10;
    private static final int WARM_UPS = 3;
    private static final int RUNS = 11;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Override
    public String name() {
        return "fanout400";
    }

    @Override
    public String description() {
        return "one run at a time of a parallel loop over 400 light Python items, 10 slots; 3 warm-ups, 11 runs";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        ClusterPlan plan = ClusterPlan.fast().with("millrace.worker.slots", "python=" + SLOTS);
        try (Installation installation = bench.install(name(), plan)) {
            ParallelLoop loop = new ParallelLoop("bench-fanout400", bench.size(ITEMS), SLOTS);
            loop.deploy(installation);
            for (int i = 0; i < WARM_UPS; i++) {
                loop.millis(installation);
            }
            int runs = bench.rounds(RUNS);
            bench.say(name() + ": " + runs + " runs");
            var latencies = new double[runs];
            Measurement measurement = Measurement.begin(bench, installation, name());
            for (int i = 0; i < runs; i++) {
                latencies[i] = loop.millis(installation);
            }
            var used = measurement.end((long) runs * loop.items());
            Records.checkHistory(installation, WARM_UPS + runs, loop.items() + ParallelLoop.RECORDS);
            Samples latency = Samples.of(latencies);
            Figures figures = new Figures(name())
                    .add("runs", (long) runs)
                    .add("items", (long) loop.items())
                    .add("submit_to_result_median_ms", latency.median())
                    .add("submit_to_result_best_ms", latency.lowest())
                    .add("submit_to_result_worst_ms", latency.highest());
            return bench.compareFusedRate(figures, loop.items() / latency.median() * MILLIS_PER_SECOND)
                    .addAll(used);
        }
    }
}
