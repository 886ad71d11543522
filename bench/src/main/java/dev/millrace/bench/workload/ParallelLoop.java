package dev.millrace.bench.workload;

import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A loop over numbers whose light Python iterations run side by side and add one each. */
record ParallelLoop(String flow, int items, int parallelism) {
    private static final double NANOS_PER_MILLI = 1e6;

    void deploy(Installation installation) {
        installation.deploy(FlowFiles.parallelLoop(flow, parallelism));
    }

    /** Runs it once, checks every result and its place, and returns the milliseconds from submit to result. */
    double millis(Installation installation) throws Exception {
        String input = "{\"items\":" + numbers(0) + "}";
        String expected = numbers(1);
        long start = System.nanoTime();
        EndedRun run = installation.call(flow, input);
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(expected);
        return millis;
    }

    private String numbers(int first) {
        return IntStream.range(first, first + items)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "[", "]"));
    }
}
