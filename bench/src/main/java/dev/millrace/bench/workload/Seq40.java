package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.FlowCaller;
import dev.millrace.bench.system.GatewayClient;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.Step;
import java.util.List;

/**
 * One run at a time of a flow of 40 sequential Python steps: how long a caller waits for the result. Measured with
 * services that have just started and with services that have been in use.
 */
public final class Seq40 implements Workload {
    static final String FLOW = "bench-seq40";
    static final int STEPS = 40;
    static final int NUMBER = 10;
    static final String RESULT = "55";

    private static final int WARM_UPS = 1;
    private static final int RUNS = 15;
    /** Number of runs after which services count as in use. */
    private static final int RUNS_IN_USE = 100;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;

    @Override
    public String name() {
        return "seq40";
    }

    @Override
    public String description() {
        return "one run at a time of a flow of 40 sequential Python steps (fibo(10)); 1 warm-up, 15 runs; and 15 runs after 100";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        if (!bench.options().throughGateway()) {
            try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
                return measure(bench, installation, installation::call).note("client", "gRPC to the scheduler");
            }
        }
        try (Installation installation =
                        bench.install(name(), ClusterPlan.fast().withGateway());
                GatewayClient client = installation.gatewayClient()) {
            return measure(bench, installation, client).note("client", "REST through the gateway");
        }
    }

    private Figures measure(Bench bench, Installation installation, FlowCaller caller) throws Exception {
        installation.deploy(FlowFiles.sequence(FLOW, STEPS, NUMBER));
        for (int i = 0; i < WARM_UPS; i++) {
            caller.call(FLOW, "{}").check(RESULT);
        }
        int runs = bench.rounds(RUNS);
        bench.say(name() + ": " + runs + " runs");
        var ids = new String[runs];
        Measurement measurement = Measurement.begin(bench, installation, name());
        Samples latency = Samples.of(timed(caller, runs, ids));
        var used = measurement.end((long) runs * STEPS);
        var spans = new double[runs];
        for (int i = 0; i < runs; i++) {
            spans[i] = spanMillis(Records.checkSequence(installation.steps(ids[i]), STEPS));
        }
        int between = Math.max(0, RUNS_IN_USE - WARM_UPS - runs);
        bench.say(name() + ": " + between + " runs, then " + runs + " that count");
        var _ = timed(caller, between, new String[between]);
        Samples inUse = Samples.of(timed(caller, runs, ids));
        Records.checkHistory(installation, WARM_UPS + runs + between + runs, STEPS);
        Figures figures = new Figures(name())
                .add("runs", (long) runs)
                .add("steps_per_run", (long) STEPS)
                .add("submit_to_result_median_ms", latency.median())
                .add("submit_to_result_best_ms", latency.lowest())
                .add("submit_to_result_worst_ms", latency.highest())
                .add("first_created_to_last_ended_median_ms", Samples.of(spans).median())
                .add("in_use_submit_to_result_median_ms", inUse.median())
                .add("in_use_submit_to_result_best_ms", inUse.lowest());
        return bench.compareTime(figures, STEPS, latency.median()).addAll(used);
    }

    /** Milliseconds of each of {@code runs} sequential runs; stores their ids in {@code ids}. */
    private static double[] timed(FlowCaller caller, int runs, String[] ids) throws Exception {
        var latencies = new double[runs];
        for (int i = 0; i < runs; i++) {
            long start = System.nanoTime();
            EndedRun run = caller.call(FLOW, "{}");
            latencies[i] = (System.nanoTime() - start) / NANOS_PER_MILLI;
            run.check(RESULT);
            ids[i] = run.id();
        }
        return latencies;
    }

    private static double spanMillis(List<Step> steps) {
        Check.that("the run has steps", !steps.isEmpty());
        return (Records.micros(steps.getLast().getEndTime())
                        - Records.micros(steps.getFirst().getCreateTime()))
                / MICROS_PER_MILLI;
    }
}
