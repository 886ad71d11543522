package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;

/**
 * Rates of Postgres itself with the work of a queue.
 *
 * @param rowByRow insert, claim and complete, each in its own transaction, on several connections: cycles a second
 * @param batched insert, claim and complete in batches: jobs a second
 * @param fused complete jobs and insert their leased successors, in batches and in one statement: steps a second
 * @param oneByOne like fused, with one step per statement on one connection: steps a second
 */
public record Ceiling(double rowByRow, double batched, double fused, double oneByOne) {
    private static final double MILLIS_PER_SECOND = 1000;

    /** Shortest time in which Postgres ends one step and stores the next. */
    double stepMillis() {
        return MILLIS_PER_SECOND / oneByOne;
    }

    Figures figures() {
        return new Figures("pg-ceiling")
                .add("row_by_row_cycles_per_second", rowByRow)
                .add("batches_of_100_cycles_per_second", batched)
                .add("fused_batches_of_200_steps_per_second", fused)
                .add("fused_one_by_one_steps_per_second", oneByOne);
    }
}
