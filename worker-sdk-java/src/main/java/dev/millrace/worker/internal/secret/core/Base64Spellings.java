package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Base64 of a text, alone or inside of other bytes. Three bytes make four characters, so the text may begin at three
 * places of such a group; the characters it shares with what comes before depend on that.
 */
final class Base64Spellings {
    private static final int GROUP_BYTES = 3;
    private static final int CHARACTER_BITS = 6;

    /** Lengths of lines in MIME and PEM. */
    private static final List<Integer> LINE_LENGTHS = List.of(76, 64);

    private Base64Spellings() {}

    static void addTo(Set<String> patterns, byte[] utf8) {
        for (int before = 0; before < GROUP_BYTES; before++) {
            byte[] shifted = new byte[before + utf8.length];
            System.arraycopy(utf8, 0, shifted, before, utf8.length);
            String padded = Base64.getEncoder().encodeToString(shifted);
            int bitsBefore = before * Byte.SIZE;
            int from = (bitsBefore + CHARACTER_BITS - 1) / CHARACTER_BITS;
            int known = shifted.length * Byte.SIZE / CHARACTER_BITS;
            int unpadded = (shifted.length * Byte.SIZE + CHARACTER_BITS - 1) / CHARACTER_BITS;
            // The text may be followed by others, or end the bytes, with and without padding.
            for (int to : new int[] {known, unpadded, padded.length()}) {
                if (from < to) {
                    String standard = padded.substring(from, to);
                    patterns.add(standard);
                    patterns.add(standard.replace('+', '-').replace('/', '_'));
                }
            }
        }
        for (int length : LINE_LENGTHS) {
            byte[] newLine = "\n".getBytes(US_ASCII);
            patterns.add(Base64.getMimeEncoder(length, newLine).encodeToString(utf8));
        }
    }
}
