package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.text.encoding.TextEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names and values as in queries and forms ({@code application/x-www-form-urlencoded}). */
final class FormText {
    /** Maximum number of values of a form or query. */
    static final int VALUES_MAX = 1_000;

    private FormText() {}

    /**
     * The values of a query as an object: a text for each name, and an array of texts for a name that occurs several
     * times.
     */
    static JsonValue ofQuery(String query) throws UnreadableBody {
        return object(fields(query.getBytes(UTF_8)), TextEncoding.UTF_8);
    }

    /** The values of a form, likewise, in the encoding that it declares. */
    static JsonValue ofForm(byte[] body, ContentType type) throws UnreadableBody {
        List<FormEncoding.Field> fields = fields(body);
        return object(fields, FormEncoding.of(type, fields));
    }

    private static List<FormEncoding.Field> fields(byte[] text) throws UnreadableBody {
        List<FormEncoding.Field> fields = new ArrayList<>();
        // Latin-1 has a character for each byte, so that the bytes can be split as a text.
        String all = new String(text, ISO_8859_1);
        int begin = 0;
        // Not String.split: a body of separators would become millions of texts before anybody counts them.
        while (begin < all.length()) {
            int found = all.indexOf('&', begin);
            int end = found < 0 ? all.length() : found;
            if (end > begin) {
                fields.add(field(all.substring(begin, end), fields.size()));
            }
            begin = end + 1;
        }
        return fields;
    }

    private static FormEncoding.Field field(String pair, int before) throws UnreadableBody {
        if (before == VALUES_MAX) {
            throw new UnreadableBody("The form has more than " + VALUES_MAX + " values.");
        }
        int equals = pair.indexOf('=');
        return new FormEncoding.Field(
                unescaped(equals < 0 ? pair : pair.substring(0, equals)),
                unescaped(equals < 0 ? "" : pair.substring(equals + 1)));
    }

    private static JsonValue object(List<FormEncoding.Field> fields, TextEncoding encoding) throws UnreadableBody {
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        for (FormEncoding.Field field : fields) {
            String name = BodyText.ofLatin(field.name(), encoding, "The name of a field");
            String value = BodyText.ofLatin(field.value(), encoding, "The field " + name);
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(JsonValue.ofString(value));
        }
        return object(values);
    }

    static JsonValue object(Map<String, List<JsonValue>> values) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        values.forEach((name, all) -> members.put(name, all.size() == 1 ? all.getFirst() : array(all)));
        return JsonValue.ofMembers(members);
    }

    private static JsonValue array(List<JsonValue> items) {
        StringBuilder text = new StringBuilder("[");
        items.forEach(item -> text.append(text.length() == 1 ? "" : ",").append(item));
        return JsonValue.of(text.append(']').toString());
    }

    /** Forms write a space as a plus sign. */
    private static String unescaped(String text) throws UnreadableBody {
        return new String(PercentText.bytes(text.replace('+', ' ').getBytes(ISO_8859_1)), ISO_8859_1);
    }
}
