package dev.millrace.bench.workload;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Flows of the workloads. */
final class FlowFiles {
    /** A known amount of CPU work. */
    static final String FIBO = """
            def fibo(n):
                return n if n < 2 else fibo(n - 1) + fibo(n - 2)


            def main(n: int):
                return fibo(n)
            """;

    private static final String TIMED_FIBO = """
            import time


            def fibo(n):
                return n if n < 2 else fibo(n - 1) + fibo(n - 2)


            def main(n: int):
                start = time.perf_counter()
                value = fibo(n)
                return {"value": value, "seconds": time.perf_counter() - start}
            """;

    private static final String LIGHT = """
            def main(n: int):
                return n + 1
            """;

    private static final String NUMBER_INPUT = "inputs: {n: {type: integer}}\n";

    private FlowFiles() {}

    /** Sequential steps, each with a small Fibonacci number. */
    static DeployFlowRequest sequence(String name, int steps, int number) {
        return sequence(name, "", steps, Integer.toString(number), FIBO);
    }

    /** Sequential steps; {@code number} is a template that can read the input {@code n}. */
    static DeployFlowRequest sequence(String name, int steps, String number) {
        return sequence(name, NUMBER_INPUT, steps, "\"" + number + "\"", FIBO);
    }

    /** Sequential steps that need no worker: each adds one to the previous result, the first to the input {@code n}. */
    static DeployFlowRequest additions(String name, int steps) {
        String lines = IntStream.rangeClosed(1, steps)
                .mapToObj(i -> "  - {id: s%d, value: \"${{ %s + 1 }}\"}\n"
                        .formatted(i, i == 1 ? "inputs.n" : "steps.s" + (i - 1) + ".result"))
                .collect(Collectors.joining());
        return flow(name, NUMBER_INPUT + "steps:\n" + lines, LIGHT);
    }

    /** Sequential steps that also return how long their code ran. */
    static DeployFlowRequest timedSequence(String name, int steps, int number) {
        return sequence(name, "", steps, Integer.toString(number), TIMED_FIBO);
    }

    private static DeployFlowRequest sequence(String name, String inputs, int steps, String number, String script) {
        String lines = IntStream.rangeClosed(1, steps)
                .mapToObj(i -> "  - {id: s%d, script: step.py, input: {n: %s}}\n".formatted(i, number))
                .collect(Collectors.joining());
        return flow(name, inputs + "steps:\n" + lines, script);
    }

    /** A parallel loop over the input {@code items}; each iteration adds one. */
    static DeployFlowRequest parallelLoop(String name, int parallelism) {
        return flow(name, """
                inputs: {items: {type: array}}
                steps:
                  - {id: work, for_each: "${{ inputs.items }}", parallelism: %d, script: step.py, input: {n: "${{ item }}"}}
                """.formatted(parallelism), LIGHT);
    }

    /**
     * A graph in layers. Each step needs two steps of the previous layer and adds one to the result of the first. So
     * every result is the number of its layer. The last step waits for the last layer.
     */
    static DeployFlowRequest layers(String name, int layers, int width) {
        var steps = new StringBuilder("steps:\n");
        for (int layer = 1; layer <= layers; layer++) {
            for (int place = 0; place < width; place++) {
                String above = "l%dp%d".formatted(layer - 1, place);
                String beside = "l%dp%d".formatted(layer - 1, (place + 1) % width);
                steps.append("  - {id: l%dp%d, needs: [%s], script: step.py, input: {n: %s}}\n"
                        .formatted(
                                layer,
                                place,
                                layer == 1 ? "" : above + ", " + beside,
                                layer == 1 ? "0" : "\"${{ steps." + above + ".result }}\""));
            }
        }
        String last = IntStream.range(0, width)
                .mapToObj(place -> "l%dp%d".formatted(layers, place))
                .collect(Collectors.joining(", "));
        steps.append("  - {id: end, needs: [%s], value: \"${{ steps.l%dp0.result }}\"}\n".formatted(last, layers));
        return flow(name, steps.toString(), LIGHT);
    }

    /** A flow that waits for the signal {@code go}. */
    static DeployFlowRequest signalWait(String name) {
        return flow(name, """
                steps:
                  - {id: wait, wait: {signal: go}}
                output: ${{ steps.wait.result.payload }}
                """, LIGHT);
    }

    /** A flow that waits until the time {@code at}. */
    static DeployFlowRequest timerWait(String name) {
        return flow(name, """
                inputs: {at: {type: integer}}
                steps:
                  - {id: wait, wait: {until: "${{ inputs.at }}"}}
                output: woken
                """, LIGHT);
    }

    private static DeployFlowRequest flow(String name, String body, String script) {
        return DeployFlowRequest.newBuilder()
                .setFileName(name + ".yaml")
                .setDefinition(ByteString.copyFromUtf8("millrace: v1\nname: " + name + "\n" + body))
                .addFiles(FlowFile.newBuilder().setPath("step.py").setContent(ByteString.copyFromUtf8(script)))
                .build();
    }
}
