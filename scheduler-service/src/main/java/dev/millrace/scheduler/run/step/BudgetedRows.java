package dev.millrace.scheduler.run.step;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jooq.Cursor;
import org.jooq.Record;
import org.jooq.ResultQuery;

/**
 * Reads rows until their payloads fill a budget, without having all rows in memory. Must be used within a transaction,
 * as cursors require one.
 */
final class BudgetedRows {
    private static final int ROWS_A_FETCH = 16;

    private BudgetedRows() {}

    /**
     * The rows that were read.
     *
     * @param isCut whether there are more rows, for which the budget has no room
     */
    record Slice(List<Step> steps, boolean isCut) {
        Slice {
            steps = List.copyOf(steps);
        }
    }

    /** Reads at least one row if there is one, even if it exceeds {@code bytesMax}. */
    static Slice take(ResultQuery<? extends Record> query, Function<Record, Step> mapping, long bytesMax) {
        List<Step> steps = new ArrayList<>();
        long bytes = 0;
        try (Cursor<? extends Record> cursor = query.fetchSize(ROWS_A_FETCH).fetchLazy()) {
            for (Record found : cursor) {
                Step step = mapping.apply(found);
                bytes += step.payloads().sizeBytes();
                if (bytes > bytesMax && !steps.isEmpty()) {
                    return new Slice(steps, true);
                }
                steps.add(step);
            }
        }
        return new Slice(steps, false);
    }
}
