package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

/**
 * Who asks for an operation, and why; for the record.
 *
 * @param actor empty where unknown
 * @param reason may be empty
 */
public record OperationNote(String actor, String reason) {
    /** Nothing known. */
    public static final OperationNote NONE = new OperationNote("", "");

    public OperationNote {
        requireNonNull(actor, "actor");
        requireNonNull(reason, "reason");
    }
}
