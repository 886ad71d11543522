package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.NamedCodes;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a statement that receives rows as parameters.
 *
 * <p>The template names the rows as {@code $rows(id uuid, version int8) as r} and is expanded twice: for any number of
 * rows, with an array for each column, and for a single row, with plain values. Postgres takes a quarter less time for
 * a flush of single rows without arrays, and the lane has nothing to wrap.
 */
public final class RowsSql {
    private static final Pattern ROWS = Pattern.compile("\\$rows\\(([^)]*)\\) as (\\w+)");

    private final String ofRows;
    private final String ofOneRow;

    /** @param template may contain names of codes, see {@link NamedCodes} */
    public RowsSql(String template) {
        String named = NamedCodes.expand(template);
        this.ofRows = write(named, type -> "?::" + type + "[]", "unnest(%s)");
        this.ofOneRow = write(named, type -> "?::" + type, "(values (%s))");
    }

    /** Text for any number of rows. */
    String ofRows() {
        return ofRows;
    }

    /** Text for a single row. */
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

    /** Names and types of the columns. */
    private static List<String[]> columns(MatchResult rows) {
        return Arrays.stream(rows.group(1).split(","))
                .map(column -> column.strip().split(" "))
                .toList();
    }
}
