package dev.millrace.scheduler.input;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** JSON Schema of the inputs that a version of a script takes. */
public record InputSchema(Json schema, Origin origin) {
    /** Maximum number of characters of a schema. Larger ones would fill the memory of schedulers that check by them. */
    public static final int CHARS_MAX = 64 * 1024;

    public InputSchema {
        requireNonNull(schema, "schema");
        requireNonNull(origin, "origin");
    }

    /** Where a schema comes from. */
    public enum Origin {
        /** A worker read it from the signature of {@code main}. */
        SIGNATURE((short) 1),
        /** The author gave it at the deployment. */
        AUTHOR((short) 2),
        /** The scheduler read it from the arguments that the text declares. */
        DECLARATION((short) 3);

        private final short code;

        Origin(short code) {
            this.code = code;
        }

        short code() {
            return code;
        }

        static Origin of(short code) {
            for (Origin origin : values()) {
                if (origin.code == code) {
                    return origin;
                }
            }
            // A later version wrote it.
            return SIGNATURE;
        }
    }
}
