package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;
import java.util.Optional;

/** Reads numbers of a definition. */
public final class Numbers {
    private Numbers() {}

    public static Optional<Integer> whole(SourceNode node) {
        return literal(node).filter(JsonValue::isWhole).flatMap(Numbers::exact);
    }

    public static Optional<Double> number(SourceNode node) {
        return literal(node).map(value -> Double.parseDouble(value.toString()));
    }

    /** A bound without a superfluous fraction. */
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
