package dev.millrace.worker.internal.secret.core;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Percent encoding of a text, as the functions of common languages write it in addresses and forms. */
final class PercentSpellings {
    private static final String ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /** Characters that are left as they are, beside letters and digits: by RFC 3986, Python, JavaScript and forms. */
    private static final List<BitSet> PLAIN =
            List.of(plain("-._~"), plain("-._~/"), plain("-_.!~*'()"), plain("-_.!~*'();/?:@&=+$,#"), plain("*-._"));

    private static final BitSet NONE = new BitSet();

    private PercentSpellings() {}

    static void addTo(Set<String> patterns, byte[] utf8) {
        for (BitSet plain : PLAIN) {
            for (boolean spaceIsPlus : new boolean[] {false, true}) {
                patterns.add(encode(utf8, plain, spaceIsPlus, HexFormat.of().withUpperCase()));
                patterns.add(encode(utf8, plain, spaceIsPlus, HexFormat.of()));
            }
        }
    }

    /** Adds the encoding of every character, even where that is not necessary. */
    static void addRare(Set<String> patterns, byte[] utf8) {
        patterns.add(encode(utf8, NONE, false, HexFormat.of().withUpperCase()));
        patterns.add(encode(utf8, NONE, false, HexFormat.of()));
    }

    private static String encode(byte[] utf8, BitSet plain, boolean spaceIsPlus, HexFormat hex) {
        StringBuilder encoded = new StringBuilder(utf8.length + 16);
        for (byte value : utf8) {
            if (plain.get(value & 0xff)) {
                encoded.append((char) value);
            } else if (value == ' ' && spaceIsPlus) {
                encoded.append('+');
            } else {
                encoded.append('%').append(hex.toHexDigits(value));
            }
        }
        return encoded.toString();
    }

    private static BitSet plain(String others) {
        BitSet plain = new BitSet();
        for (byte value : (ALPHANUMERIC + others).getBytes(StandardCharsets.US_ASCII)) {
            plain.set(value);
        }
        return plain;
    }
}
