package dev.millrace.bench.measure;

import java.util.Arrays;

/** Measured values of one kind. */
public final class Samples {
    private final double[] sorted;

    private Samples(double[] sorted) {
        this.sorted = sorted;
    }

    public static Samples of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("No samples to summarize.");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Samples(sorted);
    }

    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the smallest sample that is greater than or equal to this percentage of all samples. */
    public double percentile(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("percent: " + percent + " (expected: 1 to 100)");
        }
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[rank - 1];
    }

    public double lowest() {
        return sorted[0];
    }

    public double highest() {
        return sorted[sorted.length - 1];
    }
}
