package dev.millrace.scheduler.expression.javascript.operators;

import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;

/** A value as JavaScript has it. */
public sealed interface Operand {
    /** A number. */
    record Numeric(double value) implements Operand {}

    /** A string. */
    record Text(String value) implements Operand {}

    /** True or false. */
    record Truth(boolean value) implements Operand {}

    /** {@code null} and {@code undefined}. */
    enum Nothing implements Operand {
        NULL,
        UNDEFINED
    }

    /** An object or an array: it is there, and that is all these operators know of it. */
    enum Container implements Operand {
        INSTANCE
    }

    /** Longest string that is worked with. */
    int TEXT_LENGTH_MAX = 1 << 16;
    /** A double holds any number of so many characters. */
    int CHARACTERS_ALWAYS_HELD = 15;
    /** Whole numbers up to here are written by their digits alone, and a {@code long} holds them. */
    double WHOLE_MAX = 1e15;
    /** From here on JavaScript writes an exponent. */
    double PLAIN_MAX = 1e21;
    /** Below this, too. */
    double PLAIN_MIN = 1e-6;

    /** The operand that a value of JSON is. */
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

    /** Digits that a double cannot hold are the engine's matter, which keeps them. */
    private static Operand number(String text) {
        double value = Double.parseDouble(text);
        if (text.length() > CHARACTERS_ALWAYS_HELD && !text.equals(text(value))) {
            throw new LeftToEngine();
        }
        return new Numeric(value);
    }

    /** What JavaScript writes for a number in a string. */
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

    /** What is taken for true. */
    default boolean isTruthy() {
        return switch (this) {
            case Numeric(double value) -> value != 0 && !Double.isNaN(value);
            case Text(String value) -> !value.isEmpty();
            case Truth(boolean value) -> value;
            case Nothing _ -> false;
            case Container _ -> true;
        };
    }

    /** The value as JSON, in which {@code undefined} is null. */
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
            // The engine writes its numbers anew.
            case Container _ -> throw new LeftToEngine();
        };
    }

    /** Neither half of a pair, which may stand alone, nor one of those that have several escapes. */
    private static boolean isWrittenAsItIs(int character) {
        return character >= ' ' ? !Character.isSurrogate((char) character) : "\n\r\t".indexOf(character) >= 0;
    }
}
