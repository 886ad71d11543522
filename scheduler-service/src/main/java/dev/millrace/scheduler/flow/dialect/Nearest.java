package dev.millrace.scheduler.flow.dialect;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what someone probably meant. */
public final class Nearest {
    /** Fewest letters of an abbreviation. */
    private static final int ABBREVIATION_MIN = 3;

    private Nearest() {}

    /** The known word that is at most a third of its letters away, or that the word abbreviates; the first of the nearest. */
    public static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(word, candidate))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The sentence that asks for it; empty where nothing is near. */
    public static String didYouMean(String word, Collection<String> known) {
        return to(word, known).map(near -> "Did you mean \"" + near + "\"? ").orElse("");
    }

    private static boolean isNear(String word, String candidate) {
        boolean abbreviated = word.length() >= ABBREVIATION_MIN && candidate.startsWith(word);
        return abbreviated || distance(word, candidate) <= Math.max(1, (candidate.length() + 1) / 3);
    }

    /** Insertions, deletions and replacements between two words (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
