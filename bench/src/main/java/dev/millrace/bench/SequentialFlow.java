package dev.millrace.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.job.v1.Step;
import java.util.List;

/** A flow of Python steps one after the other, each a small Fibonacci number. */
final class SequentialFlow {
    static final int STEPS = 40;
    static final String NAME = "bench-seq40";

    private static final String FIBO = """
            def fibo(n):
                return n if n < 2 else fibo(n - 1) + fibo(n - 2)


            def main(n: int):
                return fibo(n)
            """;
    private static final int NUMBER = 10;
    private static final String RESULT = "55";

    private SequentialFlow() {}

    static DeployFlowRequest definition() {
        var yaml = new StringBuilder("millrace: v1\nname: " + NAME + "\nsteps:\n");
        for (int i = 1; i <= STEPS; i++) {
            yaml.append("  - {id: s")
                    .append(i)
                    .append(", script: fibo.py, input: {n: ")
                    .append(NUMBER)
                    .append("}}\n");
        }
        return DeployFlowRequest.newBuilder()
                .setFileName("seq40.yaml")
                .setDefinition(ByteString.copyFromUtf8(yaml.toString()))
                .addFiles(FlowFile.newBuilder().setPath("fibo.py").setContent(ByteString.copyFromUtf8(FIBO)))
                .build();
    }

    static void checkRun(Run run) {
        Check.equal(
                "the state of run " + run.getId() + " " + run.getError().getMessage(),
                Run.State.STATE_SUCCEEDED,
                run.getState());
        Check.equal("the output of run " + run.getId(), RESULT, run.getOutput().toStringUtf8());
    }

    /** Checks that every step was run exactly once, and returns the milliseconds between the first's creation and the last's end. */
    static double checkedSpanMillis(List<Step> all) {
        List<Step> steps = all.stream().filter(step -> !step.getKey().isEmpty()).toList();
        Check.equal("the number of steps", STEPS, steps.size());
        Check.equal(
                "the number of different steps",
                (long) STEPS,
                steps.stream().map(Step::getKey).distinct().count());
        Check.equal(
                "every step succeeded",
                true,
                steps.stream().allMatch(step -> step.getState() == Step.State.STATE_SUCCEEDED));
        long first = steps.stream()
                .mapToLong(step -> micros(step.getCreateTime()))
                .min()
                .orElseThrow();
        long last = steps.stream()
                .mapToLong(step -> micros(step.getEndTime()))
                .max()
                .orElseThrow();
        return (last - first) / 1e3;
    }

    private static long micros(Timestamp time) {
        return time.getSeconds() * 1_000_000 + time.getNanos() / 1_000;
    }
}
