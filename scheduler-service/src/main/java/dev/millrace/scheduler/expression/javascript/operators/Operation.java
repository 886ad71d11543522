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
    /**
     * Evaluates the operation.
     *
     * @throws LeftToEngine if only the engine can evaluate it
     */
    Operand operand(Scope scope);

    /**
     * Evaluates the operation; empty if only the engine can, which includes failures, because the engine has the
     * messages for them.
     */
    default Optional<JsonValue> value(Scope scope) {
        try {
            return Optional.of(operand(scope).json());
        } catch (LeftToEngine beyond) {
            return Optional.empty();
        }
    }

    /** A constant. */
    record Constant(Operand value) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return value;
        }
    }

    /**
     * A plain path. A missing value is {@code undefined}.
     *
     * @param base start of the path
     * @param segments rest of the path
     */
    record Read(Expression base, List<Segment> segments) implements Operation {
        /** Members that every object inherits. */
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

        /** Whether the path begins with a step. The result of a step that has not ended is missing, not null. */
        private boolean isStep() {
            return base instanceof Path path
                    && (path.root() instanceof Root.StepResult || path.root() instanceof Root.StepResultIfAny);
        }

        /**
         * Evaluates a path with a missing member: {@code undefined} if the path ends there or continues with a question
         * mark. Otherwise the path fails or has a function as its value, which is left to the engine.
         */
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

    /** Negation with {@code !}. */
    record Not(Operation of) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return new Operand.Truth(!of.operand(scope).isTruthy());
        }
    }

    /** Negation with a minus sign. */
    record Negative(Operation of) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            if (of.operand(scope) instanceof Operand.Numeric(double value)) {
                return new Operand.Numeric(-value);
            }
            throw new LeftToEngine();
        }
    }

    /** Two operands joined by an operator. */
    record Binary(Operation left, Operator operator, Operation right) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            Operand first = left.operand(scope);
            return operator.isDecidedBy(first) ? first : operator.apply(first, right.operand(scope));
        }
    }

    /** The conditional {@code condition ? yes : no}. */
    record Choice(Operation condition, Operation yes, Operation no) implements Operation {
        @Override
        public Operand operand(Scope scope) {
            return (condition.operand(scope).isTruthy() ? yes : no).operand(scope);
        }
    }
}
