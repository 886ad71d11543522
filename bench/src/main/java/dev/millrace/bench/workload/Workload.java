package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import java.time.Duration;

/** One thing to measure. */
public interface Workload {
    /** Enough for whatever is not asked to last. */
    Duration LIMIT = Duration.ofMinutes(20);

    /** Name on the command line. */
    String name();

    /** What is done, in one line. */
    String description();

    /** The time after which something must be wrong with it. */
    default Duration limit(Bench bench) {
        return LIMIT;
    }

    /** Measures, checks that the work was done right, and returns the figures. */
    Figures run(Bench bench) throws Exception;
}
