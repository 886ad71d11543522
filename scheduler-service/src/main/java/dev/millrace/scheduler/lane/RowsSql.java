package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.NamedCodes;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a statement whose rows come with it. It names them as {@code $rows(id uuid, version int8) as r} and is written out twice: for any
 * number of rows, which are then arrays, one for each column; and for a single row, which is then plain values. Postgres needs a quarter less time
 * for a flush of single rows where they are no arrays, and the lane has nothing to wrap.
 */
public final class RowsSql {
    private static final Pattern ROWS = Pattern.compile("\\$rows\\(([^)]*)\\) as (\\w+)");

    private final String ofRows;
    private final String ofOneRow;

    /** @param template may name codes, see {@link NamedCodes} */
    public RowsSql(String template) {
        String named = NamedCodes.expand(template);
        this.ofRows = write(named, type -> "?::" + type + "[]", "unnest(%s)");
        this.ofOneRow = write(named, type -> "?::" + type, "(values (%s))");
    }

    /** For any number of rows. */
    String ofRows() {
        return ofRows;
    }

    /** For a single row. */
    String ofOneRow() {
        return ofOneRow;
    }

    private static String write(String template, UnaryOperator<String> parameter, String source) {
        return ROWS.matcher(template).replaceAll(rows -> {
            List<String[]> columns = columns(rows);
            String parameters =
                    columns.stream().map(column -> parameter.apply(column[1])).collect(Collectors.joining(", "));
            String names = columns.stream().map(column -> column[0]).collect(Collectors.joining(", "));
            return source.formatted(parameters) + " as " + rows.group(2) + "(" + names + ")";
        });
    }

    /** The names and types. */
    private static List<String[]> columns(MatchResult rows) {
        return Arrays.stream(rows.group(1).split(","))
                .map(column -> column.strip().split(" "))
                .toList();
    }
}
