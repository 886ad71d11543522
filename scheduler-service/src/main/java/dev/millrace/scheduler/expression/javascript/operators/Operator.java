package dev.millrace.scheduler.expression.javascript.operators;

import dev.millrace.scheduler.expression.javascript.operators.Operand.Container;
import dev.millrace.scheduler.expression.javascript.operators.Operand.Nothing;
import dev.millrace.scheduler.expression.javascript.operators.Operand.Numeric;
import dev.millrace.scheduler.expression.javascript.operators.Operand.Text;
import dev.millrace.scheduler.expression.javascript.operators.Operand.Truth;
import java.util.Optional;

/** Binary operator. Operands of different kinds, which JavaScript would convert, are left to the engine. */
public enum Operator {
    ADD("+", 5),
    SUBTRACT("-", 5),
    MULTIPLY("*", 6),
    DIVIDE("/", 6),
    REMAINDER("%", 6),
    LESS("<", 4),
    LESS_OR_EQUAL("<=", 4),
    GREATER(">", 4),
    GREATER_OR_EQUAL(">=", 4),
    SAME("===", 3),
    NOT_SAME("!==", 3),
    EQUAL("==", 3),
    NOT_EQUAL("!=", 3),
    AND("&&", 2),
    OR("||", 1),
    ELSE("??", 1);

    /** Strength of the operators that bind most weakly. */
    public static final int WEAKEST = 1;

    private final String symbol;
    private final int strength;

    Operator(String symbol, int strength) {
        this.symbol = symbol;
        this.strength = strength;
    }

    /** Finds the operator with a symbol; empty if there is none. */
    public static Optional<Operator> of(String symbol) {
        for (Operator operator : values()) {
            if (operator.symbol.equals(symbol)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }

    /** Binding strength; stronger operators are evaluated first. */
    public int strength() {
        return strength;
    }

    /** Whether the left operand alone decides, so that it is the value. */
    boolean isDecidedBy(Operand left) {
        return switch (this) {
            case AND -> !left.isTruthy();
            case OR -> left.isTruthy();
            case ELSE -> !(left instanceof Nothing);
            default -> false;
        };
    }

    /** Returns the value for a left operand that does not decide alone. */
    Operand apply(Operand left, Operand right) {
        return switch (this) {
            case AND, OR, ELSE -> right;
            case ADD -> left instanceof Text || right instanceof Text ? joined(left, right) : calculated(left, right);
            case SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> calculated(left, right);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> new Truth(compares(left, right));
            case SAME -> new Truth(isSame(left, right));
            case NOT_SAME -> new Truth(!isSame(left, right));
            case EQUAL -> new Truth(isEqual(left, right));
            case NOT_EQUAL -> new Truth(!isEqual(left, right));
        };
    }

    private static Operand joined(Operand left, Operand right) {
        String text = text(left) + text(right);
        if (text.length() > Operand.TEXT_LENGTH_MAX) {
            throw new LeftToEngine();
        }
        return new Text(text);
    }

    private static String text(Operand operand) {
        return switch (operand) {
            case Numeric(double value) -> Operand.text(value);
            case Text(String value) -> value;
            case Truth(boolean value) -> Boolean.toString(value);
            case Nothing nothing -> nothing == Nothing.NULL ? "null" : "undefined";
            case Container _ -> throw new LeftToEngine();
        };
    }

    private Operand calculated(Operand left, Operand right) {
        if (!(left instanceof Numeric(double a) && right instanceof Numeric(double b))) {
            throw new LeftToEngine();
        }
        return new Numeric(
                switch (this) {
                    case ADD -> a + b;
                    case SUBTRACT -> a - b;
                    case MULTIPLY -> a * b;
                    case DIVIDE -> a / b;
                    case REMAINDER -> a % b;
                    default -> throw new IllegalStateException(symbol + " does not calculate");
                });
    }

    private boolean compares(Operand left, Operand right) {
        if (left instanceof Numeric(double a) && right instanceof Numeric(double b)) {
            // Uses operators instead of {@code Double.compare}, because NaN is neither less nor greater than a number.
            return switch (this) {
                case LESS -> a < b;
                case LESS_OR_EQUAL -> a <= b;
                case GREATER -> a > b;
                default -> a >= b;
            };
        }
        if (left instanceof Text(String a) && right instanceof Text(String b)) {
            int order = a.compareTo(b);
            return switch (this) {
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                default -> order >= 0;
            };
        }
        throw new LeftToEngine();
    }

    private static boolean isSame(Operand left, Operand right) {
        if (left instanceof Container && right instanceof Container) {
            throw new LeftToEngine();
        }
        if (left instanceof Numeric(double a) && right instanceof Numeric(double b)) {
            return a == b;
        }
        return left.equals(right);
    }

    private static boolean isEqual(Operand left, Operand right) {
        if (left instanceof Nothing || right instanceof Nothing) {
            return left instanceof Nothing && right instanceof Nothing;
        }
        if (left.getClass() != right.getClass()) {
            throw new LeftToEngine();
        }
        return isSame(left, right);
    }
}
