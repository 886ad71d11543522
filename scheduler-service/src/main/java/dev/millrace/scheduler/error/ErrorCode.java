package dev.millrace.scheduler.error;

/** What went wrong. The names are part of the API: callers see them as the reason in {@code google.rpc.ErrorInfo}. */
public enum ErrorCode {
    /** The request breaks a rule of its fields; see the field violations. */
    INVALID_REQUEST,
    /** The definition of a flow has problems; see the field violations. */
    INVALID_FLOW,
    RUN_NOT_FOUND,
    SCRIPT_NOT_FOUND,
    FLOW_NOT_FOUND,
    /** It is used by others, which the message names. */
    IN_USE,
    /** The request id was used before, for another content. */
    REQUEST_ID_REUSED,
    STEP_NOT_FOUND,
    /** The state of the run does not allow it; the message says why. */
    RUN_STATE_UNSUITABLE,
    /** The run has ended, so it cannot be changed any more. */
    RUN_ENDED,
    /** The job was given to another worker, was canceled, or has ended: whoever asks in its name does so too late. */
    LEASE_LOST,
    BULK_OPERATION_NOT_FOUND,
    /** The bulk operation has come to all its runs, so that it cannot be canceled any more. */
    BULK_OPERATION_ENDED,
    /** Nothing of the run waits for this. */
    NOT_WAITING,
    /** The wait names its people, and the actor is none of them. */
    NOT_ASSIGNED,
    /** A link's signature is wrong, or it holds no longer. */
    WAIT_LINK_INVALID,
    /** The run has as many signals as it may. */
    TOO_MANY_SIGNALS,
    /** The scheduler is behind and takes no new work for now. */
    OVERLOADED,
    /** The scheduler is about to stop. */
    SHUTTING_DOWN,
    DATABASE_UNAVAILABLE,
    /** The database's schema does not fit this program. */
    SCHEMA_MISMATCH,
    INVALID_CONFIG,
    /** A defect in Millrace. */
    INTERNAL
}
