package dev.millrace.cli.output;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Lays out rows in columns as wide as their widest cell; columns whose header ends with {@code >} are right-aligned. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String> headers = new ArrayList<>();
    private final List<Boolean> rightAligned = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headers) {
        for (String header : headers) {
            boolean right = header.endsWith(">");
            rightAligned.add(right);
            this.headers.add(right ? header.substring(0, header.length() - 1) : header);
        }
    }

    /** Adds a row of as many cells as there are headers. */
    public Table row(String... cells) {
        if (cells.length != headers.size()) {
            throw new IllegalArgumentException("cells: " + cells.length + " (expected: " + headers.size() + ")");
        }
        rows.add(Stream.of(cells).map(ControlCharacters::line).toList());
        return this;
    }

    public List<String> lines(Paint paint) {
        List<Integer> widths = new ArrayList<>(Collections.nCopies(headers.size(), 0));
        measure(headers, widths);
        rows.forEach(row -> measure(row, widths));
        List<String> lines = new ArrayList<>();
        lines.add(paint.bold(line(headers, widths)));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private static void measure(List<String> cells, List<Integer> widths) {
        for (int column = 0; column < cells.size(); column++) {
            widths.set(column, Math.max(widths.get(column), cells.get(column).length()));
        }
    }

    private String line(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String space = " ".repeat(widths.get(column) - cell.length());
            line.append(column == 0 ? "" : GAP).append(rightAligned.get(column) ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }
}
