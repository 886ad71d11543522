package dev.millrace.scheduler.postgres.core;

import java.util.ArrayList;
import java.util.List;

/** Divides rows among runs. */
public final class RowBatches {
    private RowBatches() {}

    /**
     * Rows of one run each, in order. A row without JSON is alone.
     *
     * @param most largest number of rows of a run
     * @param charsMax largest length of the rows of a run, in characters; a larger row is alone
     */
    public static List<List<OutboxRow>> of(List<OutboxRow> rows, int most, long charsMax) {
        List<List<OutboxRow>> batches = new ArrayList<>();
        List<OutboxRow> batch = new ArrayList<>();
        long chars = 0;
        for (OutboxRow row : rows) {
            boolean isApart = row.json().isEmpty()
                    || (!batch.isEmpty() && batch.getLast().json().isEmpty());
            if (!batch.isEmpty() && (isApart || batch.size() == most || chars + row.chars() > charsMax)) {
                batches.add(List.copyOf(batch));
                batch.clear();
                chars = 0;
            }
            batch.add(row);
            chars += row.chars();
        }
        if (!batch.isEmpty()) {
            batches.add(List.copyOf(batch));
        }
        return batches;
    }
}
