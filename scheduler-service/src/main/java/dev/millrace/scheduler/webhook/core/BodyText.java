package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.text.encoding.BodyEncoding;
import dev.millrace.text.encoding.BodyEncoding.Declaration;
import dev.millrace.text.encoding.TextEncoding;
import dev.millrace.text.encoding.TextEncoding.Decoded;
import java.util.Optional;

/** Texts in bodies, in the encodings that their senders declare. No byte is replaced: a text is read as a whole, or not. */
final class BodyText {
    /** Maximum number of control characters in a text: JSON writes each of them as six characters. */
    static final int CONTROLS_MAX = 100_000;

    private static final String BODY = "The body";

    private BodyText() {}

    /** The text of a body, whose encoding the content type may name, as may XML and HTML themselves. */
    static String of(byte[] body, ContentType type) throws UnreadableBody {
        BodyEncoding encoding = BodyEncoding.of(Declaration.of(type.type()), type.parameter("charset"), body);
        Optional<Decoded> decoded = encoding.decode(body);
        if (decoded.isEmpty()) {
            throw unknown(encoding.name());
        }
        return text(decoded.get(), encoding.name(), BODY, body);
    }

    /** The text of a body in JSON, which is UTF-8 whatever the content type says, RFC 8259. */
    static String ofJson(byte[] body, ContentType type) throws UnreadableBody {
        Optional<String> charset = type.parameter("charset");
        if (charset.isPresent()
                && TextEncoding.named(charset.get())
                        .filter(TextEncoding.UTF_8::equals)
                        .isEmpty()) {
            throw new UnreadableBody("The body is in the encoding " + charset.get() + " (expected: utf-8, as JSON).");
        }
        return of(body, TextEncoding.UTF_8, BODY);
    }

    /** @param what names the text in the refusal, for example {@code The field name} */
    static String of(byte[] bytes, TextEncoding encoding, String what) throws UnreadableBody {
        return text(encoding.decode(bytes), encoding.name(), what, bytes);
    }

    /** Does the same with bytes that are given in Latin-1, which has a character for each byte. */
    static String ofLatin(String bytes, TextEncoding encoding, String what) throws UnreadableBody {
        return of(bytes.getBytes(ISO_8859_1), encoding, what);
    }

    /** The encoding of this name, for forms: one in which ASCII is ASCII. */
    static TextEncoding ofForm(String name) throws UnreadableBody {
        return TextEncoding.named(name).filter(TextEncoding::extendsAscii).orElseThrow(() -> unknown(name));
    }

    private static String text(Decoded decoded, String encoding, String what, byte[] bytes) throws UnreadableBody {
        return switch (decoded) {
            case Decoded.Text(String text) -> withFewControls(text, what);
            case Decoded.Malformed(int offset) ->
                throw new UnreadableBody(
                        "%s is not %s: the byte 0x%02X at offset %d is no part of a character. Send it in that encoding, or name the right one as the charset of the content type."
                                .formatted(what, encoding, bytes[offset], offset));
        };
    }

    private static String withFewControls(String text, String what) throws UnreadableBody {
        long controls = text.chars()
                .filter(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t')
                .count();
        if (controls > CONTROLS_MAX) {
            throw new UnreadableBody(
                    what + " has " + controls + " control characters (expected: at most " + CONTROLS_MAX
                            + "): send bytes as a type that is no text, or let the webhook ask for raw_body alone.");
        }
        return text;
    }

    private static UnreadableBody unknown(String encoding) {
        return new UnreadableBody("The body is in the encoding " + encoding
                + ", which is not read here: send it in UTF-8, or let the webhook ask for raw_body alone.");
    }
}
