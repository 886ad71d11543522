package dev.millrace.metrics;

/** Receives the present values of a metric that is read when somebody looks at it. */
@FunctionalInterface
public interface Points {
    /**
     * Adds a value.
     *
     * @param labels the values of the metric's labels, in their order; each combination may occur once
     */
    void add(double value, String... labels);

    /** Adds a whole number. */
    default void add(long value, String... labels) {
        add((double) value, labels);
    }

    /** Tells the present values. Called on each scrape, so it must be quick and must not fail. */
    @FunctionalInterface
    interface Source {
        void collect(Points points);
    }
}
