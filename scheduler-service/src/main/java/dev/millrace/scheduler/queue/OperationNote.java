package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

/**
 * Who asks for an operation, and why; for the record.
 *
 * @param actor empty where unknown
 * @param reason may be empty
 * @param requestId the caller's name for it, so that it happens once however often it is asked for; empty for none
 */
public record OperationNote(String actor, String reason, String requestId) {
    /** Nothing known. */
    public static final OperationNote NONE = new OperationNote("", "", "");

    public OperationNote {
        requireNonNull(actor, "actor");
        requireNonNull(reason, "reason");
        requireNonNull(requestId, "requestId");
    }
}
