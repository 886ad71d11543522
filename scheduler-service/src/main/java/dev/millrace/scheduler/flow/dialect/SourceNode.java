package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A node of a YAML or JSON document, with its position. */
public sealed interface SourceNode {
    /** Position where the node begins. */
    Mark mark();

    /** Kind of the node with its article, for messages. */
    String phrase();

    /** A scalar as written, or the kind of a collection; for messages. */
    default String shown() {
        return switch (this) {
            case Text text -> "\"" + text.text() + "\"";
            case Literal literal -> literal.value().toString();
            case Mapping mapping -> mapping.phrase();
            case Sequence sequence -> sequence.phrase();
        };
    }

    /** The value of a key; empty if this node is no mapping or lacks the key. */
    default Optional<SourceNode> member(String key) {
        return this instanceof Mapping mapping
                ? mapping.entries().stream()
                        .filter(entry -> entry.key().equals(key))
                        .map(Entry::value)
                        .findFirst()
                : Optional.empty();
    }

    /** The node as JSON; of several members with the same key, the last one counts. */
    default JsonValue constant() {
        return switch (this) {
            case Literal literal -> literal.value();
            case Text text -> JsonValue.ofString(text.text());
            case Sequence sequence ->
                JsonValue.of(sequence.items().stream()
                        .map(item -> item.constant().text())
                        .collect(Collectors.joining(",", "[", "]")));
            case Mapping mapping -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                mapping.entries()
                        .forEach(entry -> members.put(entry.key(), entry.value().constant()));
                yield JsonValue.ofMembers(members);
            }
        };
    }

    /** Line and column, from 1. */
    record Mark(int line, int column) {}

    /** A mapping, with its entries in document order. */
    record Mapping(Mark mark, List<Entry> entries) implements SourceNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String phrase() {
            return "an object";
        }
    }

    record Entry(String key, Mark mark, SourceNode value) {}

    record Sequence(Mark mark, List<SourceNode> items) implements SourceNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String phrase() {
            return "an array";
        }
    }

    /** A string. */
    record Text(Mark mark, String text) implements SourceNode {
        @Override
        public String phrase() {
            return "a string";
        }
    }

    /** A number, boolean or null. */
    record Literal(Mark mark, JsonValue value) implements SourceNode {
        @Override
        public String phrase() {
            return value.kind().phrase();
        }
    }
}
