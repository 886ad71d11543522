package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.stream.Stream;

/** One step of a path. */
sealed interface PathSegment {
    /** Whether it may lead to several values, so that the path results in an array. */
    default boolean isMany() {
        return false;
    }

    /** The values one step further. */
    Stream<JsonValue> of(JsonValue value);

    /** A member of an object. */
    record Key(String name) implements PathSegment {
        @Override
        public Stream<JsonValue> of(JsonValue value) {
            return value.kind() == JsonValue.Kind.OBJECT
                    ? Stream.ofNullable(value.members().get(name))
                    : Stream.empty();
        }
    }

    /** An element of an array; negative from its end. */
    record Index(int index) implements PathSegment {
        @Override
        public Stream<JsonValue> of(JsonValue value) {
            if (value.kind() != JsonValue.Kind.ARRAY) {
                return Stream.empty();
            }
            List<JsonValue> elements = value.elements();
            int position = index < 0 ? elements.size() + index : index;
            return position >= 0 && position < elements.size() ? Stream.of(elements.get(position)) : Stream.empty();
        }
    }

    /** All members or elements. */
    record All() implements PathSegment {
        @Override
        public boolean isMany() {
            return true;
        }

        @Override
        public Stream<JsonValue> of(JsonValue value) {
            return switch (value.kind()) {
                case OBJECT -> value.members().values().stream();
                case ARRAY -> value.elements().stream();
                case STRING, NUMBER, BOOLEAN, NULL -> Stream.empty();
            };
        }
    }

    /** All members of a name, however deep. */
    record Below(String name) implements PathSegment {
        @Override
        public boolean isMany() {
            return true;
        }

        @Override
        public Stream<JsonValue> of(JsonValue value) {
            return Stream.concat(new Key(name).of(value), new All().of(value).flatMap(this::of));
        }
    }

    /** How many elements an array, or members an object has. */
    record Length() implements PathSegment {
        @Override
        public Stream<JsonValue> of(JsonValue value) {
            return switch (value.kind()) {
                case OBJECT -> Stream.of(JsonValue.of(value.members().size()));
                case ARRAY -> Stream.of(JsonValue.of(value.elements().size()));
                case STRING, NUMBER, BOOLEAN, NULL -> Stream.empty();
            };
        }
    }
}
