package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.Set;

/** All ways in which a text is expected to be written. A pattern is a string whose characters are bytes. */
final class Spellings {
    /** Rare spellings are searched for only in texts up to this size; longer texts have lines. */
    static final int RARE_BYTES_MAX = 1024;

    private Spellings() {}

    /** Adds the patterns of a text. */
    static void addTo(Set<String> patterns, String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        patterns.add(bytes(utf8));
        EscapeSpellings.addJson(patterns, text);
        PercentSpellings.addTo(patterns, utf8);
        Base64Spellings.addTo(patterns, utf8);
        patterns.add(HexFormat.of().formatHex(utf8));
        patterns.add(HexFormat.of().withUpperCase().formatHex(utf8));
        if (utf8.length <= RARE_BYTES_MAX) {
            EscapeSpellings.addRare(patterns, text);
            PercentSpellings.addRare(patterns, utf8);
            if (utf8.length == text.length()) {
                // Other characters cannot be read as UTF-8 any more.
                patterns.add(bytes(text.getBytes(UTF_16LE)));
                patterns.add(bytes(text.getBytes(UTF_16BE)));
            }
        }
    }

    /** Returns the string whose characters are these bytes. */
    static String bytes(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    /** Returns the string whose characters are the bytes of this text in UTF-8. */
    static String bytes(String text) {
        return bytes(text.getBytes(UTF_8));
    }
}
