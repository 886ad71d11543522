package dev.millrace.scheduler.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** The details of an event: a JSON object of bounded size. What does not fit is left out, and the object says so. */
record AuditDetail(Map<String, JsonValue> members) {
    /** Maximum number of bytes of the object. */
    static final int BYTES_MAX = 4_096;
    /** Maximum number of characters of a text. */
    static final int TEXT_LENGTH_MAX = 500;

    static final AuditDetail NONE = new AuditDetail(Map.of());

    private static final String CUT = "cut";

    AuditDetail {
        members = new LinkedHashMap<>(members);
    }

    /** These details and another. */
    AuditDetail with(String name, String text) {
        AuditDetail more = new AuditDetail(members);
        more.members.put(name, text(text));
        return more;
    }

    /** The object as JSON. */
    String json() {
        String whole = json(members);
        if (whole.getBytes(UTF_8).length <= BYTES_MAX) {
            return whole;
        }
        Map<String, JsonValue> fitting = new LinkedHashMap<>();
        fitting.put(CUT, JsonValue.TRUE);
        members.forEach((name, value) -> {
            fitting.put(name, value);
            if (json(fitting).getBytes(UTF_8).length > BYTES_MAX) {
                fitting.remove(name);
            }
        });
        return json(fitting);
    }

    /** A text as JSON, without what Postgres cannot store, and shortened. */
    static JsonValue text(String text) {
        return JsonValue.ofString(shortened(text));
    }

    /** The text without NUL characters and unpaired surrogates, and at most {@link #TEXT_LENGTH_MAX} characters long. */
    static String shortened(String text) {
        String start = text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX - 1) + "…";
        return new String(start.getBytes(UTF_8), UTF_8).replace("\0", "\uFFFD");
    }

    private static String json(Map<String, JsonValue> members) {
        return JsonValue.ofMembers(members).text();
    }
}
