package dev.millrace.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.Step;
import java.util.List;

/** Ten sequential Python steps that compute for a while: the cost of a step beyond the run time of its code. */
public final class Long10 implements Workload {
    private static final String FLOW = "bench-long10";
    private static final int STEPS = 10;
    private static final int NUMBER = 33;
    private static final int RESULT = 3_524_578;
    private static final int WARM_UPS = 1;
    /** Earlier runs of the flow of {@link Seq40}, so that the services have been in use. */
    private static final int LIGHT_WARM_UPS = 50;

    private static final int RUNS = 3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "long10";
    }

    @Override
    public String description() {
        return "10 sequential Python steps fibo(33); overhead a step = (total - time in user code) / 10; after 50 runs of seq40";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            for (int i = 0; i < LIGHT_WARM_UPS; i++) {
                installation.call(Seq40.FLOW, "{}").check(Seq40.RESULT);
            }
            installation.deploy(FlowFiles.timedSequence(FLOW, STEPS, NUMBER));
            for (int i = 0; i < WARM_UPS; i++) {
                codeMillis(installation, installation.call(FLOW, "{}"));
            }
            int runs = bench.rounds(RUNS);
            bench.say(name() + ": " + runs + " runs");
            var totals = new double[runs];
            var ended = new EndedRun[runs];
            Measurement measurement = Measurement.begin(bench, installation, name());
            for (int i = 0; i < runs; i++) {
                long start = System.nanoTime();
                ended[i] = installation.call(FLOW, "{}");
                totals[i] = (System.nanoTime() - start) / NANOS_PER_MILLI;
            }
            var used = measurement.end((long) runs * STEPS);
            var overheads = new double[runs];
            for (int i = 0; i < runs; i++) {
                overheads[i] = (totals[i] - codeMillis(installation, ended[i])) / STEPS;
            }
            Records.checkTotals(
                    installation,
                    LIGHT_WARM_UPS + WARM_UPS + (long) runs,
                    LIGHT_WARM_UPS * (long) Seq40.STEPS + (WARM_UPS + (long) runs) * STEPS);
            double overhead = Samples.of(overheads).median();
            Figures figures = new Figures(name())
                    .add("runs", (long) runs)
                    .add("submit_to_result_median_ms", Samples.of(totals).median())
                    .add("overhead_per_step_median_ms", overhead)
                    .add("overhead_per_step_best_ms", Samples.of(overheads).lowest());
            return bench.compareTime(figures, 1, overhead).addAll(used);
        }
    }

    /** Checks a run and returns the run time of its code, as measured by the code. */
    private static double codeMillis(Installation installation, EndedRun run) throws Exception {
        Check.equal("the end of run " + run.id() + " (" + run.error() + ")", true, run.succeeded());
        List<Step> steps = Records.checkSequence(installation.steps(run.id()), STEPS);
        double seconds = 0;
        for (Step step : steps) {
            JsonNode result = JSON.readTree(step.getResult().toByteArray());
            Check.equal(
                    "the result of step " + step.getKey(),
                    RESULT,
                    result.path("value").asInt());
            seconds += result.path("seconds").asDouble();
        }
        return seconds * MILLIS_PER_SECOND;
    }
}
