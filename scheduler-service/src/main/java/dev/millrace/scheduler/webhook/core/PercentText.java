package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Percent-encoded texts, RFC 3986. */
final class PercentText {
    private static final int HEX = 16;
    private static final int NIBBLE_BITS = 4;

    private PercentText() {}

    static String decoded(String text) throws UnreadableBody {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(UTF_8);
        byte[] bytes = new byte[encoded.length];
        int length = 0;
        int at = 0;
        while (at < encoded.length) {
            boolean isEscape = encoded[at] == '%';
            bytes[length++] = isEscape ? escaped(encoded, at + 1) : encoded[at];
            at += isEscape ? 3 : 1;
        }
        return Utf8Text.of(Arrays.copyOf(bytes, length));
    }

    private static byte escaped(byte[] encoded, int at) throws UnreadableBody {
        int high = at + 1 < encoded.length ? Character.digit(encoded[at], HEX) : -1;
        int low = at + 1 < encoded.length ? Character.digit(encoded[at + 1], HEX) : -1;
        if (high < 0 || low < 0) {
            throw new UnreadableBody("A text of the call has a % that is not followed by two hexadecimal digits.");
        }
        return (byte) (high << NIBBLE_BITS | low);
    }
}
