package dev.millrace.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Table whose columns are as wide as their widest cell. Marks after a header describe its column: {@code >} aligns it
 * on the right. If the terminal is too narrow, {@code <} cuts the column in front, since ids differ at their end,
 * {@code ?} leaves it out, and {@code !} keeps it whole. Other columns are cut at their end.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final String CUT = "…";
    /** Smallest width of an id: its last group and the mark of the cut. */
    private static final int ID_WIDTH_MIN = 13;
    /** While optional columns can still be left out, the others are not cut below this width. */
    private static final int WIDTH_PREFERRED = 12;

    private static final int WIDTH_MIN = 5;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private record Column(String header, String marks) {
        static Column of(String header) {
            String name = header.replaceFirst("[<>?!]*$", "");
            return new Column(name, header.substring(name.length()));
        }

        boolean is(char mark) {
            return marks.indexOf(mark) >= 0;
        }
    }

    public Table(String... headers) {
        columns = Stream.of(headers).map(Column::of).toList();
    }

    /** Adds a row, which must have as many cells as there are headers. */
    public Table row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("cells: " + cells.length + " (expected: " + columns.size() + ")");
        }
        rows.add(Stream.of(cells).map(ControlCharacters::line).toList());
        return this;
    }

    /** The lines in full width. */
    public List<String> lines(Paint paint) {
        return lines(paint, Integer.MAX_VALUE);
    }

    /** The lines, fitted to this width as far as columns may be cut or left out. */
    public List<String> lines(Paint paint, int widthMax) {
        int[] widths = widths(widthMax);
        List<String> lines = new ArrayList<>();
        lines.add(paint.bold(line(columns.stream().map(Column::header).toList(), widths)));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    /** The width of each column; 0 if it is left out. */
    private int[] widths(int widthMax) {
        int[] widths = IntStream.range(0, columns.size()).map(this::fullWidth).toArray();
        cutIds(widths, widthMax, ID_WIDTH_MIN);
        cutOthers(widths, widthMax, WIDTH_PREFERRED);
        for (int column = columns.size() - 1; column > 0 && total(widths) > widthMax; column--) {
            if (columns.get(column).is('?')) {
                widths[column] = 0;
            }
        }
        cutOthers(widths, widthMax, WIDTH_MIN);
        cutIds(widths, widthMax, WIDTH_MIN);
        return widths;
    }

    private int fullWidth(int column) {
        return Stream.concat(
                        Stream.of(columns.get(column).header()), rows.stream().map(row -> row.get(column)))
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private void cutIds(int[] widths, int widthMax, int width) {
        for (int column = 0; column < widths.length && total(widths) > widthMax; column++) {
            if (columns.get(column).is('<')) {
                widths[column] = Math.min(widths[column], width);
            }
        }
    }

    /** Narrows the widest column until all columns fit or all are at their minimum. */
    private void cutOthers(int[] widths, int widthMax, int widthMin) {
        while (total(widths) > widthMax) {
            Optional<Integer> widest = IntStream.range(0, widths.length)
                    .filter(column ->
                            columns.get(column).marks().replace(">", "").isEmpty())
                    .filter(column -> widths[column] > widthMin)
                    .boxed()
                    .max((one, other) -> Integer.compare(widths[one], widths[other]));
            if (widest.isEmpty()) {
                return;
            }
            widths[widest.get()]--;
        }
    }

    private static int total(int[] widths) {
        int gaps = Math.max(
                0, (int) IntStream.of(widths).filter(width -> width > 0).count() - 1);
        return IntStream.of(widths).sum() + gaps * GAP.length();
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            if (widths[column] == 0) {
                continue;
            }
            Column shown = columns.get(column);
            String cell = fitting(cells.get(column), widths[column], shown.is('<'));
            String space = " ".repeat(widths[column] - cell.length());
            line.append(line.isEmpty() ? "" : GAP).append(shown.is('>') ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }

    private static String fitting(String cell, int width, boolean keepsEnd) {
        if (cell.length() <= width) {
            return cell;
        }
        return keepsEnd ? CUT + cell.substring(cell.length() - width + 1) : cell.substring(0, width - 1) + CUT;
    }
}
