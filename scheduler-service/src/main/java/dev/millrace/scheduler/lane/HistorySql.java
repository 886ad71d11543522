package dev.millrace.scheduler.lane;

import java.util.LinkedHashMap;
import java.util.Map;

/** SQL that records jobs and steps in {@code job_history}. Holds the only list of the columns that every row has. */
public final class HistorySql {
    /** Columns of every row, with the expressions that read them from a row of {@code job_queue}. */
    private static final Map<String, String> COLUMNS = columns(
            "bucket",
            "id",
            "run_id",
            "workspace",
            "kind",
            "target",
            "name",
            "step_key",
            "tag = coalesce(own_tag, released_tag, tag)",
            "attempt",
            "input",
            "traceparent",
            "created_at",
            "ended_at = now()");

    private HistorySql() {}

    /**
     * An {@code insert} of the rows of a source with the columns of {@code job_queue}.
     *
     * @param source text after {@code from}
     * @param columns further columns, which may replace those of every row: {@code result}, or {@code status =
     *     {EndStatus.FAILED}} if the source has no column of that name
     */
    public static String insert(String source, String... columns) {
        Map<String, String> all = new LinkedHashMap<>(COLUMNS);
        all.putAll(columns(columns));
        return "insert into job_history (" + String.join(", ", all.keySet()) + ")\n    select "
                + String.join(", ", all.values()) + "\n    from " + source;
    }

    private static Map<String, String> columns(String... columns) {
        Map<String, String> expressions = new LinkedHashMap<>();
        for (String column : columns) {
            int equals = column.indexOf(" = ");
            if (equals < 0) {
                expressions.put(column, column);
            } else {
                expressions.put(column.substring(0, equals), column.substring(equals + " = ".length()));
            }
        }
        return expressions;
    }
}
