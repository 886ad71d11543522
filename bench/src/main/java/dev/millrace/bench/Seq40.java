package dev.millrace.bench;

import dev.millrace.proto.job.v1.Run;

/** One run at a time of a flow of 40 sequential Python steps: how long a caller waits for the result. */
final class Seq40 implements Workload {
    private static final int WARM_UPS = 1;
    private static final int RUNS = 15;

    @Override
    public String name() {
        return "seq40";
    }

    @Override
    public Figures run() throws Exception {
        try (BenchCluster cluster = BenchCluster.start(name())) {
            cluster.deploy(SequentialFlow.definition());
            for (int i = 0; i < WARM_UPS; i++) {
                SequentialFlow.checkRun(cluster.start(BenchCluster.flow(SequentialFlow.NAME))
                        .get()
                        .getRun());
            }
            var latencies = new double[RUNS];
            var spans = new double[RUNS];
            Usage before = Usage.now(cluster);
            for (int i = 0; i < RUNS; i++) {
                long start = System.nanoTime();
                Run run = cluster.start(BenchCluster.flow(SequentialFlow.NAME))
                        .get()
                        .getRun();
                latencies[i] = (System.nanoTime() - start) / 1e6;
                SequentialFlow.checkRun(run);
                spans[i] = SequentialFlow.checkedSpanMillis(cluster.steps(run.getId()));
            }
            Usage after = Usage.now(cluster);
            Samples latency = Samples.of(latencies);
            return new Figures(name())
                    .add("runs", (long) RUNS)
                    .add("steps_per_run", (long) SequentialFlow.STEPS)
                    .add("submit_to_result_median_ms", latency.median())
                    .add("submit_to_result_best_ms", latency.lowest())
                    .add("submit_to_result_worst_ms", latency.highest())
                    .add(
                            "first_created_to_last_ended_median_ms",
                            Samples.of(spans).median())
                    .addAll(after.perThousandStepsSince(before, (long) RUNS * SequentialFlow.STEPS));
        }
    }
}
