package dev.millrace.metrics;

/** Upper bounds of the buckets of a histogram. The last bucket, which has no bound, is implied. */
public final class Buckets {
    /** Seconds of what a server does at once: calls and commits. */
    public static final Buckets CALLS =
            new Buckets(0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10);
    /** Seconds of what people's code takes, and of waits for it. */
    public static final Buckets JOBS =
            new Buckets(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60, 300, 1_800, 3_600);
    /** Numbers of things in one batch. */
    public static final Buckets BATCHES = new Buckets(1, 2, 5, 10, 20, 50, 100, 200, 500);

    private final double[] bounds;

    /** @param bounds in ascending order */
    public Buckets(double... bounds) {
        this.bounds = bounds.clone();
    }

    double[] bounds() {
        return bounds.clone();
    }
}
