package dev.millrace.bench.workload;

import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A loop over numbers with parallel light Python iterations, each of which adds one. */
record ParallelLoop(String flow, int items, int parallelism) {
    /** Records of a loop in addition to those of its iterations: its beginning and its result. */
    static final int RECORDS = 2;

    private static final double NANOS_PER_MILLI = 1e6;

    void deploy(Installation installation) {
        installation.deploy(FlowFiles.parallelLoop(flow, parallelism));
    }

    /**
     * Runs the loop once, checks every result and its place, and returns the milliseconds from submission to result.
     */
    double millis(Installation installation) throws Exception {
        String input = input();
        String expected = numbers(1);
        long start = System.nanoTime();
        EndedRun run = installation.call(flow, input);
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(expected);
        return millis;
    }

    /** Runs the loop once and checks its results. */
    EndedRun call(Installation installation) throws Exception {
        EndedRun run = installation.call(flow, input());
        run.check(numbers(1));
        return run;
    }

    private String input() {
        return "{\"items\":" + numbers(0) + "}";
    }

    /** Checks the history of a database that ran this loop once, and the same flow once before with this many items. */
    void checkHistory(Installation installation, int itemsBefore) throws Exception {
        long expected = (long) items + itemsBefore + 2 * (RECORDS + 1);
        Records.checkJobs(installation, expected);
    }

    private String numbers(int first) {
        return IntStream.range(first, first + items)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "[", "]"));
    }
}
