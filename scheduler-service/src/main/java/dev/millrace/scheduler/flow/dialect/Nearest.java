package dev.millrace.scheduler.flow.dialect;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggestions of the known word that a misspelled word probably means. */
public final class Nearest {
    /** Minimum letters of a prefix that counts as an abbreviation. */
    private static final int ABBREVIATION_MIN = 3;

    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private Nearest() {}

    /**
     * Finds the nearest of the known words that {@code word} abbreviates or that differ from it in at most a third of
     * their letters. If several are equally near, the first one wins.
     */
    public static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(word, candidate))
                .min(Comparator.comparingInt(candidate -> DISTANCE.apply(word, candidate)));
    }

    /** Returns the question "Did you mean …?" for the nearest known word, or an empty text if none is near. */
    public static String didYouMean(String word, Collection<String> known) {
        return to(word, known).map(near -> "Did you mean \"" + near + "\"? ").orElse("");
    }

    private static boolean isNear(String word, String candidate) {
        boolean abbreviated = word.length() >= ABBREVIATION_MIN && candidate.startsWith(word);
        return abbreviated || DISTANCE.apply(word, candidate) <= Math.max(1, (candidate.length() + 1) / 3);
    }
}
