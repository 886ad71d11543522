package dev.millrace.scheduler.expression.javascript.operators;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Constants and plain paths, joined by operators. */
public sealed interface Operation {
    /** Its value, which throws {@link LeftToEngine} where that is beyond these operators. */
    Operand operand(Scope scope);

    /** Its value in a scope; empty where the engine is to be asked, for a failure too: it has the words for that. */
    default Optional<JsonValue> value(Scope scope) {
        try {
            return Optional.of(operand(scope).json());
        } catch (LeftToEngine beyond) {
            return Optional.empty();
        }
    }

    /** A value that is written. */
    record Constant(Operand value) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return value;
        }
    }

    /**
     * A plain path. What is not there is {@code undefined}.
     *
     * @param base where it begins
     * @param segments the way from there
     */
    record Read(Expression base, List<Segment> segments) implements Operation {
        /** Members that each object has without any of its own. */
        private static final Set<String> INHERITED = Set.of(
                "constructor",
                "hasOwnProperty",
                "isPrototypeOf",
                "propertyIsEnumerable",
                "toLocaleString",
                "toString",
                "valueOf");

        public Read {
            segments = List.copyOf(segments);
        }

        @Override
        public Operand operand(Scope scope) {
            JsonValue current = begin(scope);
            for (int i = 0; i < segments.size(); i++) {
                @Nullable JsonValue next = current.isNull() ? null : segments.get(i).of(current);
                if (next == null) {
                    return missing(current, i);
                }
                current = next;
            }
            return Operand.of(current);
        }

        private JsonValue begin(Scope scope) {
            JsonValue value;
            try {
                value = base.evaluate(scope);
            } catch (EvaluationFailed failed) {
                throw new LeftToEngine();
            }
            if (value.isNull() && (isStep() || !segments.isEmpty())) {
                throw new LeftToEngine();
            }
            return value;
        }

        /** A step that has not ended has no result, not even null. */
        private boolean isStep() {
            return base instanceof Path path
                    && (path.root() instanceof Root.StepResult || path.root() instanceof Root.StepResultIfAny);
        }

        /** The whole path is {@code undefined} where it ends there or goes on with a question mark; other than that it fails, or is a function. */
        private Operand missing(JsonValue holder, int i) {
            if (holder.isNull() ? segments.get(i).optional() : isUndefined(holder, segments.get(i)) && mayEndAfter(i)) {
                return Operand.Nothing.UNDEFINED;
            }
            throw new LeftToEngine();
        }

        private boolean mayEndAfter(int i) {
            return i == segments.size() - 1 || segments.get(i + 1).optional();
        }

        private static boolean isUndefined(JsonValue holder, Segment segment) {
            String key = segment.key();
            return switch (holder.kind()) {
                case OBJECT -> key == null || !(key.startsWith("__") || INHERITED.contains(key));
                case ARRAY -> key == null;
                case STRING, NUMBER, BOOLEAN, NULL -> false;
            };
        }
    }

    /** {@code !} before an operand. */
    record Not(Operation of) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return new Operand.Truth(!of.operand(scope).isTruthy());
        }
    }

    /** A minus sign before an operand. */
    record Negative(Operation of) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            if (of.operand(scope) instanceof Operand.Numeric(double value)) {
                return new Operand.Numeric(-value);
            }
            throw new LeftToEngine();
        }
    }

    /** Two operands and what is between them. */
    record Binary(Operation left, Operator operator, Operation right) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            Operand first = left.operand(scope);
            return operator.isDecidedBy(first) ? first : operator.apply(first, right.operand(scope));
        }
    }

    /** {@code condition ? yes : no}. */
    record Choice(Operation condition, Operation yes, Operation no) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return (condition.operand(scope).isTruthy() ? yes : no).operand(scope);
        }
    }
}
