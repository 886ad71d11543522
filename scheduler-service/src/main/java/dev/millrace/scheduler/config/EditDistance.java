package dev.millrace.scheduler.config;

/** Levenshtein distance: the fewest insertions, deletions and replacements that turn one text into the other. */
final class EditDistance {
    private EditDistance() {}

    static int between(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int column = 0; column <= b.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= a.length(); row++) {
            int[] current = new int[b.length() + 1];
            current[0] = row;
            for (int column = 1; column <= b.length(); column++) {
                int replaced = previous[column - 1] + (a.charAt(row - 1) == b.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
