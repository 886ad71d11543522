package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.text.encoding.TextEncoding;
import java.util.Arrays;

/** Percent-encoded texts, RFC 3986. */
final class PercentText {
    private static final int HEX = 16;
    private static final int NIBBLE_BITS = 4;

    private PercentText() {}

    static String decoded(String text) throws UnreadableBody {
        return BodyText.of(bytes(text.getBytes(UTF_8)), TextEncoding.UTF_8, "A text of the call");
    }

    /** The bytes that the text stands for, in whatever encoding. */
    static byte[] bytes(byte[] encoded) throws UnreadableBody {
        byte[] bytes = new byte[encoded.length];
        int length = 0;
        int at = 0;
        while (at < encoded.length) {
            boolean isEscape = encoded[at] == '%';
            bytes[length++] = isEscape ? escaped(encoded, at + 1) : encoded[at];
            at += isEscape ? 3 : 1;
        }
        return Arrays.copyOf(bytes, length);
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
