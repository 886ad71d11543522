package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Locale;

/** Texts in bodies, which must be UTF-8. */
final class Utf8Text {
    private Utf8Text() {}

    static String of(byte[] bytes) throws UnreadableBody {
        // Decoding replaces what is not UTF-8, so it then has other bytes.
        String text = new String(bytes, UTF_8);
        if (!Arrays.equals(text.getBytes(UTF_8), bytes)) {
            throw new UnreadableBody("The body is not UTF-8: send it in that encoding.");
        }
        return text;
    }

    /** The text of a body whose content type may name another encoding, which is refused. */
    static String of(byte[] bytes, ContentType type) throws UnreadableBody {
        String charset = type.parameter("charset").orElse("utf-8").toLowerCase(Locale.ROOT);
        if (!charset.equals("utf-8") && !charset.equals("utf8") && !charset.equals("us-ascii")) {
            throw new UnreadableBody("The body is in the encoding " + charset + " (expected: utf-8).");
        }
        return of(bytes);
    }
}
