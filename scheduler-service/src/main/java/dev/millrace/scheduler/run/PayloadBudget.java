package dev.millrace.scheduler.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jooq.Cursor;
import org.jooq.Record;
import org.jooq.ResultQuery;

/** Reads rows until their payloads fill a budget, without having all of them in memory. Inside a transaction, as a cursor needs one. */
final class PayloadBudget {
    private static final int ROWS_A_FETCH = 16;

    private PayloadBudget() {}

    /** At least one step where there is one. */
    static List<Step> take(ResultQuery<? extends Record> query, Function<Record, Step> mapping, long bytesMax) {
        List<Step> steps = new ArrayList<>();
        long bytes = 0;
        try (Cursor<? extends Record> cursor = query.fetchSize(ROWS_A_FETCH).fetchLazy()) {
            for (Record found : cursor) {
                Step step = mapping.apply(found);
                bytes += step.payloads().sizeBytes();
                if (bytes > bytesMax && !steps.isEmpty()) {
                    break;
                }
                steps.add(step);
            }
        }
        return steps;
    }
}
