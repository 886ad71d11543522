package dev.millrace.scheduler.flow.dialect;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds what someone probably meant. */
public final class Nearest {
    /** Fewest letters of an abbreviation. */
    private static final int ABBREVIATION_MIN = 3;

    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private Nearest() {}

    /** The known word that is at most a third of its letters away, or that the word abbreviates; the first of the nearest. */
    public static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(word, candidate))
                .min(Comparator.comparingInt(candidate -> DISTANCE.apply(word, candidate)));
    }

    /** The sentence that asks for it; empty where nothing is near. */
    public static String didYouMean(String word, Collection<String> known) {
        return to(word, known).map(near -> "Did you mean \"" + near + "\"? ").orElse("");
    }

    private static boolean isNear(String word, String candidate) {
        boolean abbreviated = word.length() >= ABBREVIATION_MIN && candidate.startsWith(word);
        return abbreviated || DISTANCE.apply(word, candidate) <= Math.max(1, (candidate.length() + 1) / 3);
    }
}
