package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Who asks for an operation, and why, for the record of operations.
 *
 * @param actor a person or program; empty for the caller of the token
 * @param reason why; may be empty
 * @param requestId name of the request, under which repeated calls take effect once; empty for a new one
 */
public record Note(String actor, String reason, Optional<String> requestId) {
    /** Says nothing. */
    public static final Note NONE = new Note("", "", Optional.empty());

    public Note {
        requireNonNull(actor, "actor");
        requireNonNull(reason, "reason");
        requireNonNull(requestId, "requestId");
    }

    /** Names who asks. */
    public static Note by(String actor) {
        return NONE.withActor(actor);
    }

    public Note withActor(String name) {
        return new Note(name, reason, requestId);
    }

    public Note withReason(String text) {
        return new Note(actor, text, requestId);
    }

    public Note withRequestId(String id) {
        return new Note(actor, reason, Optional.of(id));
    }
}
