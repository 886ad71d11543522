package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import java.time.Duration;

/** One measurement. */
public interface Workload {
    /** Time limit of workloads without a longer duration. */
    Duration LIMIT = Duration.ofMinutes(20);

    /** Name on the command line. */
    String name();

    /** Description of the work in one line. */
    String description();

    /** Time after which the workload counts as failed. */
    default Duration limit(Bench bench) {
        return LIMIT;
    }

    /** Measures, checks that the work was done right, and returns the figures. */
    Figures run(Bench bench) throws Exception;
}
