package dev.millrace.bench;

/** One thing to measure. */
interface Workload {
    /** Name on the command line. */
    String name();

    /** Measures, checks that the work was done right, and returns the figures. */
    Figures run() throws Exception;
}
