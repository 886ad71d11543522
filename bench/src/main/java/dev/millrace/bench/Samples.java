package dev.millrace.bench;

import java.util.Arrays;

/** Measured values of one kind. */
final class Samples {
    private final double[] sorted;

    private Samples(double[] sorted) {
        this.sorted = sorted;
    }

    static Samples of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("No samples to summarise.");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Samples(sorted);
    }

    double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    double lowest() {
        return sorted[0];
    }

    double highest() {
        return sorted[sorted.length - 1];
    }
}
