package dev.millrace.text.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The encoding that the sender of a text over HTTP has declared.
 *
 * @param name the name that was declared; UTF-8 if there is none
 * @param encoding the encoding of this name; empty if it is none that we read
 * @param markBytes number of bytes of the byte order mark before the text, which is no part of it
 */
public record BodyEncoding(String name, Optional<TextEncoding> encoding, int markBytes) {
    /** Number of bytes in which XML and HTML declare their encodings. */
    private static final int DECLARATION_BYTES_MAX = 1024;

    private static final String NAME = "\\s*=\\s*[\"']?\\s*([A-Za-z][A-Za-z0-9._:-]{0,39})";
    private static final Pattern XML_DECLARATION = Pattern.compile("\\A<\\?xml\\s[^>]{0,200}?\\bencoding" + NAME);
    private static final Pattern HTML_META =
            Pattern.compile("<meta\\s[^>]{0,500}?\\bcharset" + NAME, Pattern.CASE_INSENSITIVE);

    public BodyEncoding {
        requireNonNull(name, "name");
        requireNonNull(encoding, "encoding");
    }

    /** Where a text may declare its encoding besides its content type. */
    public enum Declaration {
        /** Nowhere. */
        NONE,
        /** In the declaration of XML, RFC 7303. */
        XML,
        /** In an element {@code meta} of HTML. */
        HTML;

        /** Where texts of this media type declare their encodings. */
        public static Declaration of(String mediaType) {
            if (mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml")) {
                return HTML;
            }
            return mediaType.equals("text/xml") || mediaType.equals("application/xml") || mediaType.endsWith("+xml")
                    ? XML
                    : NONE;
        }
    }

    /**
     * The encoding of a text. A byte order mark comes first in XML and HTML, since it is the only sign that cannot be
     * wrong; elsewhere it counts if the content type names no encoding.
     *
     * @param charset parameter of the content type
     */
    public static BodyEncoding of(Declaration declaration, Optional<String> charset, byte[] body) {
        Optional<BodyEncoding> mark = mark(body);
        if (mark.isPresent() && (declaration != Declaration.NONE || charset.isEmpty())) {
            return mark.get();
        }
        String name = charset.or(() -> declared(declaration, body)).orElse("UTF-8");
        Optional<TextEncoding> encoding = TextEncoding.named(name);
        int markBytes = mark.filter(marked -> marked.encoding().equals(encoding))
                .map(BodyEncoding::markBytes)
                .orElse(0);
        return new BodyEncoding(name, encoding, markBytes);
    }

    private static Optional<BodyEncoding> mark(byte[] body) {
        if (startsWith(body, 0xEF, 0xBB, 0xBF)) {
            return Optional.of(new BodyEncoding("UTF-8", Optional.of(TextEncoding.UTF_8), 3));
        }
        if (startsWith(body, 0xFE, 0xFF)) {
            return Optional.of(new BodyEncoding("UTF-16BE", TextEncoding.named("UTF-16BE"), 2));
        }
        if (startsWith(body, 0xFF, 0xFE)) {
            return Optional.of(new BodyEncoding("UTF-16LE", TextEncoding.named("UTF-16LE"), 2));
        }
        return Optional.empty();
    }

    private static Optional<String> declared(Declaration declaration, byte[] body) {
        if (declaration == Declaration.NONE) {
            return Optional.empty();
        }
        if (startsWith(body, 0, '<', 0, '?')) {
            return Optional.of("UTF-16BE");
        }
        if (startsWith(body, '<', 0, '?', 0)) {
            return Optional.of("UTF-16LE");
        }
        String start = new String(body, 0, Math.min(body.length, DECLARATION_BYTES_MAX), ISO_8859_1);
        Matcher xml = XML_DECLARATION.matcher(start);
        if (xml.find()) {
            return Optional.of(xml.group(1));
        }
        Matcher meta = HTML_META.matcher(start);
        return declaration == Declaration.HTML && meta.find() ? Optional.of(meta.group(1)) : Optional.empty();
    }

    private static boolean startsWith(byte[] body, int... start) {
        if (body.length < start.length) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            if ((body[i] & 0xFF) != start[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads the text; empty if its encoding is none that we read. Offsets count from the start of the body. */
    public Optional<TextEncoding.Decoded> decode(byte[] body) {
        return encoding.map(known -> known.decode(Arrays.copyOfRange(body, markBytes, body.length)))
                .map(decoded -> decoded instanceof TextEncoding.Decoded.Malformed malformed
                        ? new TextEncoding.Decoded.Malformed(malformed.offset() + markBytes)
                        : decoded);
    }
}
