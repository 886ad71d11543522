package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.text.encoding.TextEncoding;
import dev.millrace.text.encoding.TextEncoding.Decoded;
import java.util.List;
import java.util.Optional;

/**
 * The encoding of a form: what its content type names, else what its field {@code _charset_} names, as HTML and RFC 7578
 * define. Some senders name it in a field {@code charset}. As that may be any other field, it counts only if it explains
 * values that are not UTF-8.
 */
final class FormEncoding {
    private static final String STANDARD_FIELD = "_charset_";
    private static final String CUSTOMARY_FIELD = "charset";

    private FormEncoding() {}

    /** A field, as sent: in Latin-1, which has a character for each byte. */
    record Field(String name, String value) {
        private boolean isUtf8() {
            return isUtf8(name) && isUtf8(value);
        }

        private static boolean isUtf8(String bytes) {
            return TextEncoding.UTF_8.decode(bytes.getBytes(ISO_8859_1)) instanceof Decoded.Text;
        }
    }

    static TextEncoding of(ContentType type, List<Field> fields) throws UnreadableBody {
        Optional<String> named = type.parameter("charset").or(() -> field(fields, STANDARD_FIELD));
        if (named.isPresent()) {
            return BodyText.ofForm(named.get());
        }
        return fields.stream().allMatch(Field::isUtf8)
                ? TextEncoding.UTF_8
                : field(fields, CUSTOMARY_FIELD)
                        .flatMap(TextEncoding::named)
                        .filter(TextEncoding::extendsAscii)
                        .orElse(TextEncoding.UTF_8);
    }

    private static Optional<String> field(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .map(Field::value)
                .findFirst();
    }
}
