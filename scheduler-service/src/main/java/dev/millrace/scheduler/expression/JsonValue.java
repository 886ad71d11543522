package dev.millrace.scheduler.expression;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.StoredJson;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value that can be looked into: a slice of the text it came from, opened one level at a time when first asked. What is
 * passed on is the slice itself, so big numbers and number formats survive. Belongs to one thread at a time.
 *
 * <p>The text of a stored value is not in memory, and read when the value is looked into, which may block and fail: see {@link StoredReads}.
 */
public final class JsonValue {
    /** The kinds of JSON value. */
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

    /** Most characters of a value that a message quotes. */
    private static final int SHOWN_MAX = 100;
    /** Deepest pair of values that can be compared. */
    private static final int COMPARE_DEPTH_MAX = 1_000;
    /** Longest number that is calculated with: the time this takes grows with the square of the length. */
    private static final int NUMBER_LENGTH_MAX = 10_000;

    private final String source;
    private final int start;
    private final int end;
    private final @Nullable StoredJson stored;
    private @Nullable Map<String, JsonValue> members;
    private @Nullable List<JsonValue> elements;
    /** What was read of a stored value and has not been let go of. */
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

    /** Bytes that it takes where it is stored; zero where it is in memory. */
    public int storedBytes() {
        return stored == null ? 0 : stored.storedBytes();
    }

    /** The value itself, or what is read of it where it is stored. */
    private JsonValue atHand() {
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

    /** Forgets what was read of a stored value; returns how many characters that was. */
    int letGo() {
        JsonValue known = read;
        read = null;
        return known == null ? 0 : known.length();
    }

    /** The value written in {@code text}, which is taken to be JSON; where it is not, looking into it fails. */
    public static JsonValue of(String text) {
        return new JsonValue(text, JsonSlices.skipSpace(text, 0), JsonSlices.endWithoutSpace(text));
    }

    public static JsonValue of(long number) {
        return of(Long.toString(number));
    }

    /** The object with these members, in their order. */
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
            return atHand().kind();
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

    /** Whether its first level is JSON; deeper levels show when they are opened. */
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

    /** The members in their order; only of an object. */
    public Map<String, JsonValue> members() {
        if (stored != null) {
            return atHand().members();
        }
        Map<String, JsonValue> known = members;
        if (known == null) {
            known = JsonSlices.members(source, start, end);
            members = known;
        }
        return known;
    }

    /** The elements in their order; only of an array. */
    public List<JsonValue> elements() {
        if (stored != null) {
            return atHand().elements();
        }
        List<JsonValue> known = elements;
        if (known == null) {
            known = JsonSlices.elements(source, start, end);
            elements = known;
        }
        return known;
    }

    /** The decoded content; only of a string. */
    public String string() {
        JsonValue value = atHand();
        return JsonStrings.unquote(value.source, value.start, value.end);
    }

    /** Characters of its text. */
    public int length() {
        JsonValue value = atHand();
        return value.end - value.start;
    }

    public Json json() {
        return new Json(text());
    }

    /** Its text. */
    public String text() {
        JsonValue value = atHand();
        return value.source.substring(value.start, value.end);
    }

    /** Appends its text. */
    public void appendTo(StringBuilder target) {
        JsonValue value = atHand();
        target.append(value.source, value.start, value.end);
    }

    /** How the value reads inside a text: strings without their quotes, everything else as JSON. */
    void appendAsTextTo(StringBuilder target) {
        if (kind() == Kind.STRING) {
            target.append(string());
        } else {
            appendTo(target);
        }
    }

    /** Whether JavaScript takes the value for true: all but {@code false}, {@code null}, {@code 0} and the empty string. */
    public boolean isTruthy() {
        return switch (kind()) {
            case OBJECT, ARRAY -> true;
            case STRING -> length() > 2;
            case NUMBER -> number().signum() != 0;
            case BOOLEAN -> firstChar() == 't';
            case NULL -> false;
        };
    }

    /** Whether both are the same value, as a value of its own. */
    public Resolution compare(JsonValue other) {
        try {
            return new Resolution.Resolved(sameAs(other) ? TRUE : FALSE);
        } catch (EvaluationFailed failed) {
            return new Resolution.Unresolved("NotComparable", failed.sentence());
        }
    }

    /** Whether both are the same value: numbers by size, objects without regard to order. */
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
        JsonValue value = atHand();
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

    /** Whether it is a number without a fraction, such as {@code 3} or {@code 3.0}. */
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

    /** For messages: the value itself if it is short, else its kind. */
    public String shown() {
        return length() <= SHOWN_MAX ? toString() : kind().phrase();
    }

    private String abbreviated() {
        int shown = 40;
        return length() <= shown ? text() : text().substring(0, shown) + "…";
    }

    /** Equal when written alike, character by character. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonValue that && atHand().isWrittenAs(that.atHand());
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
