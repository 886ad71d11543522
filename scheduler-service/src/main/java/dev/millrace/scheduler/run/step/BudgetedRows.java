package dev.millrace.scheduler.run.step;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jooq.Cursor;
import org.jooq.Record;
import org.jooq.ResultQuery;

/** Reads rows until their payloads fill a budget, without having all of them in memory. Inside a transaction, as a cursor needs one. */
final class BudgetedRows {
    private static final int ROWS_A_FETCH = 16;

    private BudgetedRows() {}

    /**
     * The rows read.
     *
     * @param isCut whether there are more, for which the budget has no room
     */
    record Slice(List<Step> steps, boolean isCut) {
        Slice {
            steps = List.copyOf(steps);
        }
    }

    /** At least one step where there is one. */
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
