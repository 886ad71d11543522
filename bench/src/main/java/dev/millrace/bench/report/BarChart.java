package dev.millrace.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars as SVG, each with its value at its end.
 *
 * @param title text above the bars
 * @param bars bars from top to bottom
 * @param marks vertical lines through all bars
 */
record BarChart(String title, List<Bar> bars, List<Mark> marks) {
    /** One bar, its length on the chart's scale, and the text at its end. */
    record Bar(String label, double value, String text, String color) {}

    /** A line at a value. */
    record Mark(String label, double value) {}

    static final String OURS = "#2f6fb5";
    static final String OTHERS = "#9aa5b1";
    static final String CEILING = "#d9a441";
    static final String SHORT = "#c0504d";

    private static final int LABEL_WIDTH = 480;
    private static final int BAR_WIDTH = 420;
    private static final int TEXT_WIDTH = 170;
    private static final int ROW_HEIGHT = 26;
    private static final int BAR_HEIGHT = 16;
    private static final int TOP = 62;
    private static final int GAP = 8;
    private static final int TEXT_RISE = 3;
    private static final int MARK_TEXT_GAP = 4;

    String svg() {
        int width = LABEL_WIDTH + BAR_WIDTH + TEXT_WIDTH;
        int height = TOP + bars.size() * ROW_HEIGHT + GAP;
        double largest = Math.max(
                bars.stream().mapToDouble(Bar::value).max().orElse(1),
                marks.stream().mapToDouble(Mark::value).max().orElse(0));
        var svg = new StringBuilder();
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" font-family="sans-serif" font-size="13">
                <rect width="%1$d" height="%2$d" fill="#ffffff"/>
                <text x="%3$d" y="24" font-size="16" font-weight="bold">%4$s</text>
                """.formatted(width, height, GAP, escaped(title)));
        for (int i = 0; i < bars.size(); i++) {
            bar(svg, bars.get(i), TOP + i * ROW_HEIGHT, largest);
        }
        for (Mark mark : marks) {
            svg.append("""
                    <line x1="%1$s" x2="%1$s" y1="%2$d" y2="%3$d" stroke="#333333" stroke-dasharray="4 3"/>
                    <text x="%1$s" y="%4$d" text-anchor="middle" fill="#333333">%5$s</text>
                    """.formatted(
                            decimal(LABEL_WIDTH + mark.value() / largest * BAR_WIDTH),
                            TOP - GAP,
                            height,
                            TOP - GAP - MARK_TEXT_GAP,
                            escaped(mark.label())));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, Bar bar, int y, double largest) {
        double length = Math.max(1, bar.value() / largest * BAR_WIDTH);
        svg.append("""
                <text x="%1$d" y="%2$d" text-anchor="end">%3$s</text>
                <rect x="%4$d" y="%5$d" width="%6$s" height="%7$d" fill="%8$s"/>
                <text x="%9$s" y="%2$d">%10$s</text>
                """.formatted(
                        LABEL_WIDTH - GAP,
                        y + BAR_HEIGHT - TEXT_RISE,
                        escaped(bar.label()),
                        LABEL_WIDTH,
                        y,
                        decimal(length),
                        BAR_HEIGHT,
                        bar.color(),
                        decimal(LABEL_WIDTH + length + GAP),
                        escaped(bar.text())));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
