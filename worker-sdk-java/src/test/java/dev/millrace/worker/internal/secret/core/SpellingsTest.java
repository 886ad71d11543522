package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in all the ways in which programs write them, none of which may remain readable wherever a frame ends. */
final class SpellingsTest {
    private static final int SECRETS = 10_000;
    private static final int PATTERN_BYTES_MAX = 1 << 20;

    /** Text of this length that a spelling and the masked text have in common would be readable. */
    private static final int READABLE = 6;

    private final long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final WrittenSecrets written = new WrittenSecrets(random);

    /** As scripts print them: {@code json.dumps} twice and thrice, {@code repr}, and the libraries of .NET, Go and PHP. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\\\"p\\\": \\\"Gr\\\\u00f6\\\\u00dfe-\\\\u20ac<&>'+/\\\"}",
                "Gr\\\\u00F6\\\\u00DFe-\\\\u20AC<&>'+/",
                "Gr\\\\\\\\u00f6\\\\\\\\u00dfe-\\\\\\\\u20ac<&>'+/",
                "Größe-€\\\\u003c\\\\u0026\\\\u003e'+/",
                "Gr\\\\u00F6\\\\u00DFe-\\\\u20AC\\\\u003C\\\\u0026\\\\u003E\\\\u0027\\\\u002B/",
                "Gr\\\\u00f6\\\\u00dfe-\\\\u20ac<&>'+\\\\\\/",
                "'Gr\\\\u00f6\\\\u00dfe-\\\\u20ac<&>\\'+/'",
                "Gr\\xf6\\xdfe-\\u20ac<&>'+/"
            })
    void findsASecretInNestedSpellings(String written) throws TooManyPatternsException {
        PatternTree tree = new PatternTree(SecretPatterns.of(List.of("Größe-€<&>'+/"), PATTERN_BYTES_MAX));

        assertThat(new String(MaskedStream.mask(tree, written.getBytes(UTF_8)), UTF_8))
                .contains("***")
                .doesNotContain("u00", "u20", "ö", "xf6");
    }

    @Test
    void noSecretStaysReadableWhereverItIsCut() throws TooManyPatternsException {
        for (int i = 0; i < SECRETS; i++) {
            String secret = written.secret();
            PatternTree tree = new PatternTree(SecretPatterns.of(List.of(secret), PATTERN_BYTES_MAX));
            WrittenSecrets.Written text = written.write(secret);
            byte[] bytes = text.whole().getBytes(UTF_8);
            String all = string(MaskedStream.mask(tree, bytes));

            assertNotReadable(text, all);
            for (int cut = 0; cut <= bytes.length; cut++) {
                MaskedStream stream = new MaskedStream(tree);
                String masked = string(stream.add(Arrays.copyOf(bytes, cut)))
                        + string(stream.add(Arrays.copyOfRange(bytes, cut, bytes.length)))
                        + string(stream.end());
                if (!masked.equals(all)) {
                    assertThat(masked)
                            .as("seed %d, %s, cut at %d", seed, text, cut)
                            .isEqualTo(all);
                }
            }
        }
    }

    private void assertNotReadable(WrittenSecrets.Written text, String masked) {
        String spelled = string(text.secret().getBytes(UTF_8));
        for (int from = 0; from + READABLE <= spelled.length(); from++) {
            String part = spelled.substring(from, from + READABLE);
            if (masked.contains(part)) {
                assertThat(masked).as("seed %d, %s", seed, text).doesNotContain(part);
            }
        }
    }

    private static String string(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
