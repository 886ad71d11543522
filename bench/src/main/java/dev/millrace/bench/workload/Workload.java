package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;

/** One thing to measure. */
public interface Workload {
    /** Name on the command line. */
    String name();

    /** What is done, in one line. */
    String description();

    /** Measures, checks that the work was done right, and returns the figures. */
    Figures run(Bench bench) throws Exception;
}
