package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A part of an action that has a value. */
sealed interface Term {
    /** Returns the value. */
    JsonValue evaluate(Output output, @Nullable JsonValue dot);

    /** Whether the term calls no function. */
    default boolean isPlain() {
        return true;
    }

    /** A constant. */
    record Constant(JsonValue value) implements Term {
        @Override
        public JsonValue evaluate(Output output, @Nullable JsonValue dot) {
            return value;
        }
    }

    /**
     * A name of the flow.
     *
     * @param expression for the value; null if the name is unknown
     * @param name as written
     */
    record Named(@Nullable Expression expression, String name) implements Term {
        @Override
        public JsonValue evaluate(Output output, @Nullable JsonValue dot) {
            if (expression == null) {
                throw new EvaluationFailed("There is no \"" + name + "\" for {{" + name + "}}.");
            }
            return expression.evaluate(output.scope());
        }
    }

    /** The current value. */
    record Dot() implements Term {
        @Override
        public JsonValue evaluate(Output output, @Nullable JsonValue dot) {
            if (dot == null) {
                throw new EvaluationFailed(
                        "ExpressionFailed", "{{.}} stands alone: it has a value only inside range and with.");
            }
            return dot;
        }
    }

    /** A member of an object. */
    record Member(Term holder, String key, String source) implements Term {
        @Override
        public JsonValue evaluate(Output output, @Nullable JsonValue dot) {
            JsonValue value = holder.evaluate(output, dot);
            JsonValue member =
                    value.kind() == JsonValue.Kind.OBJECT ? value.members().get(key) : null;
            if (member == null) {
                throw new EvaluationFailed("{{" + source + "}} does not exist: there is no key \"" + key + "\" in "
                        + (value.kind() == JsonValue.Kind.OBJECT
                                ? keys(value)
                                : value.kind().phrase()) + ".");
            }
            return member;
        }

        @Override
        public boolean isPlain() {
            return holder.isPlain();
        }

        private static String keys(JsonValue object) {
            return object.members().isEmpty()
                    ? "an empty object"
                    : "an object with the keys "
                            + object.members().keySet().stream()
                                    .limit(20)
                                    .map(JsonStrings::quote)
                                    .collect(Collectors.joining(", "));
        }
    }

    /** A call of a function; {@code and} and {@code or} evaluate only as many arguments as necessary. */
    record Call(String function, List<Term> arguments) implements Term {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public boolean isPlain() {
            return false;
        }

        @Override
        public JsonValue evaluate(Output output, @Nullable JsonValue dot) {
            output.step();
            if (function.equals("and") || function.equals("or")) {
                JsonValue last = JsonValue.NULL;
                for (Term argument : arguments) {
                    last = argument.evaluate(output, dot);
                    if (Functions.isTrue(last) == function.equals("or")) {
                        return last;
                    }
                }
                return last;
            }
            List<JsonValue> values = new ArrayList<>();
            for (Term argument : arguments) {
                values.add(argument.evaluate(output, dot));
            }
            return Functions.call(function, values);
        }
    }
}
