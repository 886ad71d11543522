package dev.millrace.cli.definition;

import java.util.ArrayList;
import java.util.List;

/** Shows how two texts differ by lines, in the unified format without its head. A pure function. */
final class LineDiff {
    /** Number of equal lines that are shown around a change. */
    private static final int CONTEXT = 3;
    /** Largest product of the lines that differ on both sides; beyond, all of them count as replaced. */
    private static final int CELLS_MAX = 4_000_000;

    private enum Kind {
        SAME(' '),
        REMOVED('-'),
        ADDED('+');

        private final char sign;

        Kind(char sign) {
            this.sign = sign;
        }
    }

    private record Line(Kind kind, String text) {}

    private final List<Line> lines = new ArrayList<>();

    private LineDiff() {}

    /** The lines to print; none if the texts have the same lines. */
    static List<String> of(String before, String after) {
        LineDiff diff = new LineDiff();
        diff.compare(before.lines().toList(), after.lines().toList());
        return diff.hunks();
    }

    private void compare(List<String> before, List<String> after) {
        int head = 0;
        int shorter = Math.min(before.size(), after.size());
        while (head < shorter && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        add(Kind.SAME, before.subList(0, head));
        compareMiddle(before.subList(head, before.size() - tail), after.subList(head, after.size() - tail));
        add(Kind.SAME, before.subList(before.size() - tail, before.size()));
    }

    private void compareMiddle(List<String> before, List<String> after) {
        if ((long) before.size() * after.size() > CELLS_MAX) {
            add(Kind.REMOVED, before);
            add(Kind.ADDED, after);
            return;
        }
        int[][] common = commonLengths(before, after);
        int i = 0;
        int j = 0;
        while (i < before.size() && j < after.size()) {
            if (before.get(i).equals(after.get(j))) {
                add(Kind.SAME, before.subList(i, i + 1));
                i++;
                j++;
            } else if (common[i + 1][j] >= common[i][j + 1]) {
                add(Kind.REMOVED, before.subList(i, ++i));
            } else {
                add(Kind.ADDED, after.subList(j, ++j));
            }
        }
        add(Kind.REMOVED, before.subList(i, before.size()));
        add(Kind.ADDED, after.subList(j, after.size()));
    }

    /** Length of the longest common subsequence of what follows from each pair of positions. */
    private static int[][] commonLengths(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private void add(Kind kind, List<String> texts) {
        texts.forEach(text -> lines.add(new Line(kind, text)));
    }

    private List<String> hunks() {
        List<String> shown = new ArrayList<>();
        int position = 0;
        while (true) {
            int first = nextChange(position);
            if (first == lines.size()) {
                return shown;
            }
            int from = Math.max(position, first - CONTEXT);
            int to = endOfHunk(first);
            shown.add("@@ -" + range(from, to, Kind.ADDED) + " +" + range(from, to, Kind.REMOVED) + " @@");
            lines.subList(from, to).forEach(line -> shown.add(line.kind.sign + line.text));
            position = to;
        }
    }

    private int nextChange(int from) {
        int at = from;
        while (at < lines.size() && lines.get(at).kind == Kind.SAME) {
            at++;
        }
        return at;
    }

    /** Changes with little between them share a hunk. */
    private int endOfHunk(int change) {
        int end = change + 1;
        for (int next = nextChange(end); next < lines.size() && next - end <= 2 * CONTEXT; next = nextChange(end)) {
            end = next + 1;
        }
        return Math.min(lines.size(), end + CONTEXT);
    }

    /** Number of the first line, and how many there are, on the side that does not have lines of this kind. */
    private String range(int from, int to, Kind ofOther) {
        long before = lines.subList(0, from).stream()
                .filter(line -> line.kind != ofOther)
                .count();
        long count = lines.subList(from, to).stream()
                .filter(line -> line.kind != ofOther)
                .count();
        return (count == 0 ? before : before + 1) + "," + count;
    }
}
