package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.FreePort;
import dev.millrace.harness.OtlpReceiver;

/**
 * The runs of {@link Steps} without traces, with one of a hundred runs traced, and the same while the collector is away, in
 * turns. Tracing is decided when services start, so there are three installations, two of which are idle at a time.
 */
public final class TracedSteps implements Workload {
    private static final int ROUNDS = 5;
    private static final String SAMPLED = "0.01";

    @Override
    public String name() {
        return "traces";
    }

    @Override
    public String description() {
        return "200 runs of the 40-step flow at once, 5 rounds each without traces, with traces of 1 % of the runs, and with those"
                + " while the collector is away, in turns";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (OtlpReceiver collector = OtlpReceiver.start();
                Installation off = bench.install("traces-off", ClusterPlan.fast());
                Installation on = bench.install("traces-on", traced(collector.endpoint()));
                Installation lost = bench.install("traces-lost", traced("http://localhost:" + FreePort.next()))) {
            for (Installation installation : new Installation[] {off, on, lost}) {
                installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
                ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            }
            int rounds = bench.rounds(ROUNDS);
            int runs = bench.size(ManyRuns.RUNS);
            double[] without = new double[rounds];
            double[] with = new double[rounds];
            double[] away = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                without[i] = ManyRuns.stepsPerSecond(off, runs);
                with[i] = ManyRuns.stepsPerSecond(on, runs);
                away[i] = ManyRuns.stepsPerSecond(lost, runs);
                bench.say("traces: " + Math.round(without[i]) + " without, " + Math.round(with[i]) + " with, "
                        + Math.round(away[i]) + " with a collector that is away");
            }
            return new Figures(name())
                    .add("runs_at_once", (long) runs)
                    .add("rounds", (long) rounds)
                    .add("steps_per_second_without_median", Samples.of(without).median())
                    .add("steps_per_second_with_median", Samples.of(with).median())
                    .add(
                            "steps_per_second_collector_away_median",
                            Samples.of(away).median())
                    .add("spans_received", (long) collector.spans().size());
        }
    }

    private static ClusterPlan traced(String collector) {
        return ClusterPlan.fast()
                .with("otel.exporter.otlp.endpoint", collector)
                .with("otel.exporter.otlp.protocol", "http/protobuf")
                .with("otel.traces.sampler", "parentbased_traceidratio")
                .with("otel.traces.sampler.arg", SAMPLED);
    }
}
