package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * A JSON document as its author wrote it. Opaque: nothing here parses it.
 *
 * @param text the document
 */
public record Json(String text) {
    /** The document {@code null}. */
    public static final Json NULL = new Json("null");
    /** The document {@code {}}. */
    public static final Json EMPTY_OBJECT = new Json("{}");

    public Json {
        requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return text;
    }
}
