package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a text. */
sealed interface Node {
    /**
     * Writes the part.
     *
     * @param dot the current value; null for the data of the flow
     */
    void write(Output output, @Nullable JsonValue dot);

    /** Whether the part only inserts values. */
    boolean isPlain();

    /** Literal text. */
    record Literal(String text) implements Node {
        @Override
        public void write(Output output, @Nullable JsonValue dot) {
            output.append(text);
        }

        @Override
        public boolean isPlain() {
            return true;
        }
    }

    /** Consecutive parts. */
    record Sequence(List<Node> parts) implements Node {
        public Sequence {
            parts = List.copyOf(parts);
        }

        @Override
        public void write(Output output, @Nullable JsonValue dot) {
            parts.forEach(part -> part.write(output, dot));
        }

        @Override
        public boolean isPlain() {
            return parts.stream().allMatch(Node::isPlain);
        }
    }

    /** An inserted value. */
    record Value(Term term) implements Node {
        @Override
        public void write(Output output, @Nullable JsonValue dot) {
            output.append(Output.textOf(term.evaluate(output, dot)));
        }

        @Override
        public boolean isPlain() {
            return term.isPlain();
        }
    }

    /** A condition with two branches. {@code with} makes its value the current value. */
    record If(Term condition, Node then, Node otherwise, boolean with) implements Node {
        @Override
        public void write(Output output, @Nullable JsonValue dot) {
            JsonValue value = condition.evaluate(output, dot);
            if (Functions.isTrue(value)) {
                then.write(output, with ? value : dot);
            } else {
                otherwise.write(output, dot);
            }
        }

        @Override
        public boolean isPlain() {
            return false;
        }
    }

    /** A part repeated for each element, with an alternative for an empty collection. */
    record Range(Term elements, Node each, Node otherwise) implements Node {
        @Override
        public void write(Output output, @Nullable JsonValue dot) {
            JsonValue value = elements.evaluate(output, dot);
            Iterable<JsonValue> items = switch (value.kind()) {
                case ARRAY -> value.elements();
                case OBJECT -> new java.util.TreeMap<>(value.members()).values();
                case NULL -> List.of();
                case STRING, NUMBER, BOOLEAN ->
                    throw new EvaluationFailed(
                            "ExpressionFailed",
                            "range cannot go through " + value.kind().phrase() + ".");
            };
            boolean none = true;
            for (JsonValue item : items) {
                none = false;
                output.step();
                each.write(output, item);
            }
            if (none) {
                otherwise.write(output, dot);
            }
        }

        @Override
        public boolean isPlain() {
            return false;
        }
    }
}
