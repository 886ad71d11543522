package dev.millrace.scheduler.expression;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.StoredJson;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value that is decoded lazily: a slice of its source text, split one level at a time on first access. Passing
 * the value on passes on the slice, so large numbers and number formats survive. Confined to one thread at a time.
 *
 * <p>The text of a stored value is not in memory. An access to the value reads it, which may block and fail; see
 * {@link StoredReads}.
 */
public final class JsonValue {
    /** Kinds of JSON values. */
    public enum Kind {
        OBJECT("an object"),
        ARRAY("an array"),
        STRING("a string"),
        NUMBER("a number"),
        BOOLEAN("a boolean"),
        NULL("null");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }

        /** The kind with its article, for messages. */
        public String phrase() {
            return phrase;
        }
    }

    public static final JsonValue NULL = of("null");
    public static final JsonValue TRUE = of("true");
    public static final JsonValue FALSE = of("false");
    public static final JsonValue EMPTY_ARRAY = of("[]");
    public static final JsonValue EMPTY_OBJECT = of("{}");

    /** Maximum characters of a value that a message quotes. */
    private static final int SHOWN_MAX = 100;
    /** Maximum nesting depth of values that can be compared. */
    private static final int COMPARE_DEPTH_MAX = 1_000;
    /** Maximum characters of a number used in a calculation, whose time grows with the square of this length. */
    private static final int NUMBER_LENGTH_MAX = 10_000;

    private final String source;
    private final int start;
    private final int end;
    private final @Nullable StoredJson stored;
    private @Nullable Map<String, JsonValue> members;
    private @Nullable List<JsonValue> elements;
    /** Text of a stored value, until it is released. */
    private @Nullable JsonValue read;

    private JsonValue(String source, int start, int end, @Nullable StoredJson stored) {
        this.source = source;
        this.start = start;
        this.end = end;
        this.stored = stored;
    }

    JsonValue(String source, int start, int end) {
        this(source, start, end, null);
    }

    public static JsonValue of(Json json) {
        return json.stored().map(JsonValue::stored).orElseGet(() -> of(json.text()));
    }

    private static JsonValue stored(StoredJson stored) {
        return new JsonValue("", 0, 0, stored);
    }

    /** Size of the stored value in bytes; zero for a value in memory. */
    public int storedBytes() {
        return stored == null ? 0 : stored.storedBytes();
    }

    /** The value itself or, for a stored value, the text read for it. */
    private JsonValue loaded() {
        if (stored == null) {
            return this;
        }
        JsonValue known = read;
        if (known == null) {
            StoredReads.begin();
            known = of(stored.read());
            if (StoredReads.note(this, known.length())) {
                read = known;
            }
        }
        return known;
    }

    /** Releases the text read for a stored value. Returns the number of its characters. */
    int release() {
        JsonValue known = read;
        read = null;
        return known == null ? 0 : known.length();
    }

    /** Wraps {@code text}, which is assumed to be JSON. If it is not, accessing the value fails. */
    public static JsonValue of(String text) {
        return new JsonValue(text, JsonSlices.skipSpace(text, 0), JsonSlices.endWithoutSpace(text));
    }

    public static JsonValue of(long number) {
        return of(Long.toString(number));
    }

    /** Makes an object with members in the given order. */
    public static JsonValue ofMembers(Map<String, JsonValue> members) {
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) -> {
            text.append(text.length() == 1 ? "" : ",");
            JsonStrings.appendQuoted(text, name);
            text.append(':').append(value);
        });
        return of(text.append('}').toString());
    }

    public static JsonValue ofString(String content) {
        return of(JsonStrings.quote(content));
    }

    public Kind kind() {
        if (stored != null) {
            return loaded().kind();
        }
        return switch (start < end ? source.charAt(start) : ' ') {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
            default -> throw new EvaluationFailed("A value is not JSON: " + abbreviated());
        };
    }

    /** Whether the first level is valid JSON. Deeper levels are checked only when they are accessed. */
    public boolean isReadable() {
        try {
            switch (kind()) {
                case OBJECT -> members();
                case ARRAY -> elements();
                case STRING, NUMBER, BOOLEAN, NULL -> {}
            }
            return true;
        } catch (EvaluationFailed broken) {
            return false;
        }
    }

    void requireKind() {
        kind();
    }

    public boolean isNull() {
        return kind() == Kind.NULL;
    }

    /** The members of an object, in order. */
    public Map<String, JsonValue> members() {
        if (stored != null) {
            return loaded().members();
        }
        Map<String, JsonValue> known = members;
        if (known == null) {
            known = JsonSlices.members(source, start, end);
            members = known;
        }
        return known;
    }

    /** The elements of an array, in order. */
    public List<JsonValue> elements() {
        if (stored != null) {
            return loaded().elements();
        }
        List<JsonValue> known = elements;
        if (known == null) {
            known = JsonSlices.elements(source, start, end);
            elements = known;
        }
        return known;
    }

    /** The decoded content of a string. */
    public String string() {
        JsonValue value = loaded();
        return JsonStrings.unquote(value.source, value.start, value.end);
    }

    /** Number of characters of the JSON text. */
    public int length() {
        JsonValue value = loaded();
        return value.end - value.start;
    }

    public Json json() {
        return new Json(text());
    }

    /** The JSON text. */
    public String text() {
        JsonValue value = loaded();
        return value.source.substring(value.start, value.end);
    }

    /** Appends the JSON text. */
    public void appendTo(StringBuilder target) {
        JsonValue value = loaded();
        target.append(value.source, value.start, value.end);
    }

    /** Appends the value as part of a text: a string without quotes, any other value as JSON. */
    void appendAsTextTo(StringBuilder target) {
        if (kind() == Kind.STRING) {
            target.append(string());
        } else {
            appendTo(target);
        }
    }

    /**
     * Whether the value is truthy in JavaScript: any value except {@code false}, {@code null}, {@code 0} and the empty
     * string.
     */
    public boolean isTruthy() {
        return switch (kind()) {
            case OBJECT, ARRAY -> true;
            case STRING -> length() > 2;
            case NUMBER -> number().signum() != 0;
            case BOOLEAN -> firstChar() == 't';
            case NULL -> false;
        };
    }

    /** Compares two values and returns the result, or a failure, as a value. */
    public Resolution compare(JsonValue other) {
        try {
            return new Resolution.Resolved(sameAs(other) ? TRUE : FALSE);
        } catch (EvaluationFailed failed) {
            return new Resolution.Unresolved("NotComparable", failed.sentence());
        }
    }

    /** Whether both values are equal. Numbers compare numerically; the order of members does not matter. */
    public boolean sameAs(JsonValue other) {
        return sameAs(other, 0);
    }

    private boolean sameAs(JsonValue other, int depth) {
        if (depth > COMPARE_DEPTH_MAX) {
            throw new EvaluationFailed(
                    "Values nested deeper than " + COMPARE_DEPTH_MAX + " levels cannot be compared.");
        }
        if (kind() != other.kind()) {
            return false;
        }
        return switch (kind()) {
            case OBJECT -> sameMembers(other, depth);
            case ARRAY -> sameElements(other, depth);
            case STRING -> string().equals(other.string());
            case NUMBER -> number().compareTo(other.number()) == 0;
            case BOOLEAN -> firstChar() == other.firstChar();
            case NULL -> true;
        };
    }

    private char firstChar() {
        JsonValue value = loaded();
        return value.source.charAt(value.start);
    }

    private boolean sameMembers(JsonValue other, int depth) {
        if (!members().keySet().equals(other.members().keySet())) {
            return false;
        }
        for (Map.Entry<String, JsonValue> member : members().entrySet()) {
            JsonValue counterpart = other.members().get(member.getKey());
            if (counterpart == null || !member.getValue().sameAs(counterpart, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean sameElements(JsonValue other, int depth) {
        if (elements().size() != other.elements().size()) {
            return false;
        }
        for (int i = 0; i < elements().size(); i++) {
            if (!elements().get(i).sameAs(other.elements().get(i), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the value is a number without a fraction, such as {@code 3} or {@code 3.0}. */
    public boolean isWhole() {
        return kind() == Kind.NUMBER
                && (number().signum() == 0 || number().stripTrailingZeros().scale() <= 0);
    }

    private BigDecimal number() {
        if (length() > NUMBER_LENGTH_MAX) {
            throw new EvaluationFailed("A number of " + length() + " characters cannot be compared (expected: at most "
                    + NUMBER_LENGTH_MAX + ").");
        }
        try {
            return new BigDecimal(text());
        } catch (NumberFormatException notANumber) {
            throw new EvaluationFailed("A value is not JSON: " + abbreviated());
        }
    }

    /** The value itself if it is short, otherwise its kind; for messages. */
    public String shown() {
        return length() <= SHOWN_MAX ? toString() : kind().phrase();
    }

    private String abbreviated() {
        int shown = 40;
        return length() <= shown ? text() : text().substring(0, shown) + "…";
    }

    /** Whether both values have the same JSON text. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonValue that && loaded().isWrittenAs(that.loaded());
    }

    private boolean isWrittenAs(JsonValue other) {
        return length() == other.length() && source.regionMatches(start, other.source, other.start, length());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
