package dev.millrace.scheduler.flow.dialect;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggestions of the known word that a misspelled word probably means. */
public final class Nearest {
    /** Minimum letters of a prefix that counts as an abbreviation. */
    private static final int ABBREVIATION_MIN = 3;

    /** Minimum letters with which both words begin that count as the same word in another form. */
    private static final int STEM_MIN = 4;

    /** Maximum letters behind the stem of a word in another form, as in {@code retries} for {@code retry}. */
    private static final int FORM_MAX = 3;

    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private Nearest() {}

    /**
     * Finds the nearest of the known words that {@code word} abbreviates, that have another form of it, or that differ from
     * it in at most a third of their letters. If several are equally near, the first one wins.
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
        return abbreviated
                || isOtherForm(word, candidate)
                || DISTANCE.apply(word, candidate) <= Math.max(1, (candidate.length() + 1) / 3);
    }

    private static boolean isOtherForm(String word, String candidate) {
        int stem = 0;
        while (stem < Math.min(word.length(), candidate.length()) && word.charAt(stem) == candidate.charAt(stem)) {
            stem++;
        }
        return stem >= STEM_MIN && Math.max(word.length(), candidate.length()) - stem <= FORM_MAX;
    }
}
