package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;
import java.util.Optional;

/** Conversion between numbers in a definition and Java numbers. */
public final class Numbers {
    private Numbers() {}

    public static Optional<Integer> whole(SourceNode node) {
        return literal(node).filter(JsonValue::isWhole).flatMap(Numbers::exact);
    }

    public static Optional<Double> number(SourceNode node) {
        return literal(node).map(value -> Double.parseDouble(value.toString()));
    }

    /** Formats a bound without trailing zeros. */
    public static String plain(double number) {
        return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
    }

    private static Optional<JsonValue> literal(SourceNode node) {
        return node instanceof SourceNode.Literal literal && literal.value().kind() == JsonValue.Kind.NUMBER
                ? Optional.of(literal.value())
                : Optional.empty();
    }

    private static Optional<Integer> exact(JsonValue value) {
        double number = Double.parseDouble(value.toString());
        return Math.abs(number) <= Integer.MAX_VALUE ? Optional.of((int) number) : Optional.empty();
    }
}
