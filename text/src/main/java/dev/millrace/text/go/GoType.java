package dev.millrace.text.go;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What a type of Go takes from JSON, as {@code encoding/json} reads it. */
public sealed interface GoType {
    /** A type without parts. */
    enum Scalar implements GoType {
        BOOLEAN,
        STRING,
        INTEGER,
        UNSIGNED,
        FLOAT,
        /** {@code time.Time}. */
        TIME,
        /** A slice of bytes, which is Base64. */
        BYTES,
        /** {@code context.Context}, which the worker fills. */
        CONTEXT,
        /** A type that must have a value, whose form is not known. */
        OPAQUE,
        /** A type of which nothing is known, not even whether it must have a value. */
        UNKNOWN
    }

    /** A pointer, which is nil without a value. */
    record Pointer(GoType target) implements GoType {
        public Pointer {
            requireNonNull(target, "target");
        }
    }

    /** A slice, or an array. */
    record ListOf(GoType element) implements GoType {
        public ListOf {
            requireNonNull(element, "element");
        }
    }

    /** A map. */
    record MapOf(GoType value) implements GoType {
        public MapOf {
            requireNonNull(value, "value");
        }
    }

    /**
     * A struct.
     *
     * @param fields those whose names and types are certain; JSON may have more
     */
    record Struct(List<Field> fields) implements GoType {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /** A struct that the script declares, by its name: it may contain itself. */
    record Named(String name) implements GoType {
        public Named {
            requireNonNull(name, "name");
        }
    }

    /**
     * A field of a struct.
     *
     * @param name of the field in JSON
     */
    record Field(String name, GoType type) {
        public Field {
            requireNonNull(name, "name");
            requireNonNull(type, "type");
        }
    }
}
