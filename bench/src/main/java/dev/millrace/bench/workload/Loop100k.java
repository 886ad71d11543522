package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.JvmProbe;
import dev.millrace.bench.system.Memory;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;

/**
 * One parallel loop over 100,000 light Python items, of which the scheduler keeps only a window in the queue and in
 * memory.
 */
public final class Loop100k implements Workload {
    private static final String FLOW = "bench-loop100k";
    private static final int ITEMS = 100_000;
    private static final int WARM_UP_ITEMS = 5_000;
    private static final int PARALLELISM = 100;
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(100);
    private static final double MIB = 1 << 20;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Override
    public String name() {
        return "loop100k";
    }

    @Override
    public String description() {
        return "a parallel loop over 100,000 light Python items, 100 in progress: seconds, memory of the scheduler";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            ParallelLoop loop = new ParallelLoop(FLOW, bench.size(ITEMS), PARALLELISM);
            loop.deploy(installation);
            new ParallelLoop(FLOW, WARM_UP_ITEMS, PARALLELISM).millis(installation);
            bench.say(name() + ": " + loop.items() + " items");
            JvmProbe scheduler = installation.schedulerProbe();
            double heapBefore = scheduler.heapAfterFullCollection() / MIB;
            Measurement measurement = Measurement.begin(bench, installation, name());
            double seconds;
            double heapHighest;
            try (Sampler heap = Sampler.every(SAMPLE_INTERVAL, scheduler::heapAfterLastCollections)) {
                seconds = loop.millis(installation) / MILLIS_PER_SECOND;
                heapHighest = heap.highest() / MIB;
            }
            var used = measurement.end(loop.items());
            loop.checkHistory(installation, WARM_UP_ITEMS);
            Figures figures = new Figures(name())
                    .add("items", (long) loop.items())
                    .add("seconds", seconds)
                    .add("items_per_second", loop.items() / seconds)
                    .add("scheduler_heap_before_mib", heapBefore)
                    .add("scheduler_heap_highest_after_collection_mib", heapHighest)
                    .add("scheduler_heap_afterwards_mib", scheduler.heapAfterFullCollection() / MIB)
                    .add(
                            "scheduler_resident_peak_mib",
                            Memory.residentPeakBytes(
                                            installation.cluster().scheduler(0).pid())
                                    / MIB);
            return bench.compareFusedRate(figures, loop.items() / seconds).addAll(used);
        }
    }
}
