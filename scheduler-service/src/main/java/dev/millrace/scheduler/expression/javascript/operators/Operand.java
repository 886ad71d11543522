package dev.millrace.scheduler.expression.javascript.operators;

import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;

/** A value of JavaScript. */
public sealed interface Operand {
    record Numeric(double value) implements Operand {}

    record Text(String value) implements Operand {}

    record Truth(boolean value) implements Operand {}

    /** {@code null} or {@code undefined}. */
    enum Nothing implements Operand {
        NULL,
        UNDEFINED
    }

    /** An object or array, of which these operators know only that it exists. */
    enum Container implements Operand {
        INSTANCE
    }

    /** Maximum characters of a string that these operators handle. */
    int TEXT_LENGTH_MAX = 1 << 16;
    /** Maximum characters of a number that a double always holds exactly. */
    int CHARACTERS_ALWAYS_HELD = 15;
    /** Bound below which whole numbers are written with digits alone and fit into a {@code long}. */
    double WHOLE_MAX = 1e15;
    /** Bound from which JavaScript writes an exponent. */
    double PLAIN_MAX = 1e21;
    /** Bound below which JavaScript writes an exponent. */
    double PLAIN_MIN = 1e-6;

    /** Converts a JSON value. */
    static Operand of(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT, ARRAY -> Container.INSTANCE;
            case STRING -> {
                if (value.length() > TEXT_LENGTH_MAX) {
                    throw new LeftToEngine();
                }
                yield new Text(value.string());
            }
            case NUMBER -> number(value.text());
            case BOOLEAN -> new Truth(value.isTruthy());
            case NULL -> Nothing.NULL;
        };
    }

    /**
     * Converts a number. The engine handles numbers with digits that a double cannot hold, because it preserves them.
     */
    private static Operand number(String text) {
        double value = Double.parseDouble(text);
        if (text.length() > CHARACTERS_ALWAYS_HELD && !text.equals(text(value))) {
            throw new LeftToEngine();
        }
        return new Numeric(value);
    }

    /** Converts a number to text as JavaScript does. */
    static String text(double number) {
        if (number == Math.rint(number) && Math.abs(number) < WHOLE_MAX) {
            return Long.toString((long) number);
        }
        double size = Math.abs(number);
        if (!(size < PLAIN_MAX && size >= PLAIN_MIN)) {
            throw new LeftToEngine();
        }
        return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
    }

    /** Whether the value is truthy. */
    default boolean isTruthy() {
        return switch (this) {
            case Numeric(double value) -> value != 0 && !Double.isNaN(value);
            case Text(String value) -> !value.isEmpty();
            case Truth(boolean value) -> value;
            case Nothing _ -> false;
            case Container _ -> true;
        };
    }

    /** Converts the value to JSON, where {@code undefined} is null. */
    default JsonValue json() {
        return switch (this) {
            case Numeric(double value) -> Double.isFinite(value) ? JsonValue.of(text(value)) : JsonValue.NULL;
            case Text(String value) -> {
                if (!value.chars().allMatch(Operand::isWrittenAsItIs)) {
                    throw new LeftToEngine();
                }
                yield JsonValue.ofString(value);
            }
            case Truth(boolean value) -> value ? JsonValue.TRUE : JsonValue.FALSE;
            case Nothing _ -> JsonValue.NULL;
            // The engine rewrites the numbers inside.
            case Container _ -> throw new LeftToEngine();
        };
    }

    /**
     * Whether a character has only one representation. This excludes surrogates, which may be alone, and control
     * characters with several escapes.
     */
    private static boolean isWrittenAsItIs(int character) {
        return character >= ' ' ? !Character.isSurrogate((char) character) : "\n\r\t".indexOf(character) >= 0;
    }
}
