package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON document as its author wrote it. Opaque: this class does not parse it. */
public final class Json {
    public static final Json NULL = new Json("null");
    public static final Json EMPTY_OBJECT = new Json("{}");

    private final @Nullable String text;
    private final @Nullable StoredJson stored;

    private Json(@Nullable String text, @Nullable StoredJson stored) {
        this.text = text;
        this.stored = stored;
    }

    public Json(String text) {
        this(requireNonNull(text, "text"), null);
    }

    /** Creates a document that is not in memory. Its text is read each time someone needs it. */
    public static Json stored(StoredJson stored) {
        return new Json(null, requireNonNull(stored, "stored"));
    }

    /** Returns the text of the document. For a {@linkplain #stored stored} document, this may block and fail. */
    public String text() {
        return text == null ? requireNonNull(stored).read() : text;
    }

    /** Returns the location of the document, if it is not in memory. */
    public Optional<StoredJson> stored() {
        return Optional.ofNullable(stored);
    }

    /** Equal if the texts are equal character by character, or the documents are stored in the same place. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json that && Objects.equals(text, that.text) && Objects.equals(stored, that.stored);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, stored);
    }

    @Override
    public String toString() {
        return text == null ? String.valueOf(stored) : text;
    }
}
