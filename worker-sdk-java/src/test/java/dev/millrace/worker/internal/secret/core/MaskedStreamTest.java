package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class MaskedStreamTest {
    private static final int ROUNDS = 20_000;

    private final long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Few letters and short patterns, so that they overlap, contain one another and are cut in all ways. */
    @Test
    void agreesWithANaiveSearch() {
        for (int round = 0; round < ROUNDS; round++) {
            SortedSet<String> patterns = new TreeSet<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                patterns.add(letters(1 + random.nextInt(12)));
            }
            String text = letters(random.nextInt(40)) + patterns.first() + letters(random.nextInt(8));

            assertThat(masked(text, new MaskedStream(new PatternTree(patterns))))
                    .as("seed %d, patterns %s, text %s", seed, patterns, text)
                    .isEqualTo(Naive.mask(text, patterns));
        }
    }

    @Test
    void looksForFurtherPatternsInWhatItWithholds() {
        for (int round = 0; round < ROUNDS; round++) {
            SortedSet<String> few = new TreeSet<>(List.of(letters(1 + random.nextInt(12))));
            SortedSet<String> more = new TreeSet<>(few);
            more.add(letters(1 + random.nextInt(12)));
            String text = letters(random.nextInt(40));
            PatternTree larger = new PatternTree(more);
            MaskedStream stream = new MaskedStream(new PatternTree(few));

            int cut = random.nextInt(text.length() + 1);
            String first = string(stream.add(bytes(text.substring(0, cut))));
            stream.use(larger);
            String all = first + string(stream.add(bytes(text.substring(cut)))) + string(stream.end());

            assertThat(all.length()).as("seed %d", seed).isLessThanOrEqualTo(text.length() + 3 * text.length());
            if (first.isEmpty()) {
                assertThat(all)
                        .as("seed %d, patterns %s and %s, text %s, cut %d", seed, few, more, text, cut)
                        .isEqualTo(Naive.mask(text, more));
            }
        }
    }

    @Test
    void withholdsOnlyWhatMayBeginASecret() {
        MaskedStream stream = new MaskedStream(new PatternTree(new TreeSet<>(List.of("password"))));

        assertThat(string(stream.add(bytes("the pass")))).isEqualTo("the ");
        assertThat(string(stream.add(bytes("age is")))).isEqualTo("passage is");
        assertThat(string(stream.add(bytes(" password")))).isEqualTo(" ***");
    }

    @Test
    void masksTheBeginningOfASecretAtTheEnd() {
        PatternTree tree = new PatternTree(new TreeSet<>(List.of("correct horse battery")));

        assertThat(masked("It is correct horse", new MaskedStream(tree))).isEqualTo("It is ***");
        assertThat(masked("It is correct", new MaskedStream(tree))).isEqualTo("It is correct");
    }

    @Test
    void returnsTheSameBytesIfThereIsNothingToMask() {
        MaskedStream stream = new MaskedStream(new PatternTree(new TreeSet<>(List.of("password"))));
        byte[] harmless = bytes("nothing of interest");

        assertThat(stream.add(harmless)).isSameAs(harmless);
    }

    private String masked(String text, MaskedStream stream) {
        StringBuilder out = new StringBuilder();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(6));
            out.append(string(stream.add(bytes(text.substring(from, to)))));
            from = to;
        }
        return out.append(string(stream.end())).toString();
    }

    private String letters(int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static String string(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    /** Searches every pattern at every place of the whole text. */
    private static final class Naive {
        static String mask(String text, SortedSet<String> patterns) {
            boolean[] secret = new boolean[text.length()];
            for (String pattern : patterns) {
                for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
                    mark(secret, at, at + pattern.length());
                }
                for (int length = MaskedStream.BEGINNING_BYTES_MIN; length < pattern.length(); length++) {
                    if (text.endsWith(pattern.substring(0, length))) {
                        mark(secret, text.length() - length, text.length());
                    }
                }
            }
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                if (!secret[i]) {
                    out.append(text.charAt(i));
                } else if (i == 0 || !secret[i - 1]) {
                    out.append(MaskedStream.MASK);
                }
            }
            return out.toString();
        }

        private static void mark(boolean[] secret, int from, int to) {
            for (int i = from; i < to; i++) {
                secret[i] = true;
            }
        }
    }
}
