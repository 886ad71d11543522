package dev.millrace.scheduler.run;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RequestId;

/** Validates the notes of operations: actor, reason and request id. */
public final class NoteReader {
    private static final int ACTOR_LENGTH_MAX = 200;
    private static final int REASON_LENGTH_MAX = 1_000;

    private NoteReader() {}

    /** Reads a note. Fails if a field is invalid. The actor is the caller, unless the caller may act as others. */
    public static OperationNote read(String actor, String reason, String requestId) {
        Violations violations = new Violations();
        check("actor", actor, ACTOR_LENGTH_MAX, violations);
        check("reason", reason, REASON_LENGTH_MAX, violations);
        check("request_id", requestId, RequestId.LENGTH_MAX, violations);
        violations.throwIfAny();
        return new OperationNote(Access.current().actor(actor), reason, requestId);
    }

    private static void check(String field, String text, int lengthMax, Violations violations) {
        violations.require(
                text.length() <= lengthMax && text.indexOf('\0') < 0,
                field,
                "is too long or contains a NUL character (expected: at most " + lengthMax + " characters)");
    }
}
