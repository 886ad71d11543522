package dev.millrace.bench.workload;

/**
 * How much data the pages of the console are measured with.
 *
 * @param runs runs in the list
 * @param steps steps of one run, at most as many as a flow may have
 * @param iterations iterations of one loop, at most as many as a loop may have
 * @param nodes nodes of one graph
 * @param chunks chunks of 16 KiB in one log
 */
record ConsoleAmounts(int runs, int steps, int iterations, int nodes, int chunks) {
    private static final int STEPS = 9_991;
    private static final int ITERATIONS = 99_991;
    private static final int NODES = 1_001;
    private static final int CHUNKS = 1 << 16;
    /** With fewer runs than this, everything else shrinks, too. */
    private static final int WHOLE_FROM = 100_000;

    private static final int LEAST = 21;

    static ConsoleAmounts of(int runs) {
        double share = Math.min(1.0, (double) runs / WHOLE_FROM);
        return new ConsoleAmounts(
                runs, part(STEPS, share), part(ITERATIONS, share), part(NODES, share), part(CHUNKS, share));
    }

    private static int part(int whole, double share) {
        return Math.max(LEAST, (int) (whole * share) / 10 * 10 + 1);
    }
}
