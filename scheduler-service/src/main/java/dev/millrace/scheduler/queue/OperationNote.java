package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

/**
 * Who requested an operation, and why. The note becomes part of the record of operations.
 *
 * @param actor empty if unknown
 * @param reason may be empty
 * @param requestId idempotency key: the operation happens once, however often it is requested; empty for none
 */
public record OperationNote(String actor, String reason, String requestId) {
    /** A note without any information. */
    public static final OperationNote NONE = new OperationNote("", "", "");

    public OperationNote {
        requireNonNull(actor, "actor");
        requireNonNull(reason, "reason");
        requireNonNull(requestId, "requestId");
    }
}
