package dev.millrace.scheduler.error;

/**
 * Codes of the errors that callers may see. The names are part of the API: callers get them as the reason in {@code
 * google.rpc.ErrorInfo}.
 */
public enum ErrorCode {
    /** The request breaks a rule of its fields; see the field violations. */
    INVALID_REQUEST,
    /** The definition of a flow has problems; see the field violations. */
    INVALID_FLOW,
    /** Nobody knows the caller: the token is missing, unknown, expired or revoked. */
    UNAUTHENTICATED,
    /** The caller may not do this; the message names the role that it needs. */
    PERMISSION_DENIED,
    /** There is no such workspace, or the caller has no role in it. */
    WORKSPACE_NOT_FOUND,
    /** The workspace is archived, and so accepts neither work nor changes. */
    WORKSPACE_ARCHIVED,
    /** The state of the workspace does not allow the operation; the message says why. */
    WORKSPACE_STATE_UNSUITABLE,
    /** The installation, or the workspace, has the maximum number of what the request adds. */
    TOO_MANY_WORKSPACES,
    RUN_NOT_FOUND,
    SCRIPT_NOT_FOUND,
    FLOW_NOT_FOUND,
    /** The resource is in use; the message names its users. */
    IN_USE,
    /** The request id belongs to an earlier request with other content. */
    REQUEST_ID_REUSED,
    STEP_NOT_FOUND,
    /** The run's state does not allow the operation; the message says why. */
    RUN_STATE_UNSUITABLE,
    /** The run has ended, so it cannot be changed. */
    RUN_ENDED,
    /** The caller's lease is void: the job went to another worker, was canceled, or has ended. */
    LEASE_LOST,
    BULK_OPERATION_NOT_FOUND,
    /** The workspace has no blob with the id, or the run does not use it. */
    BLOB_NOT_FOUND,
    /** The blob has fewer bytes than the request asks for. */
    BLOB_TOO_SHORT,
    /** The store of blobs does not answer or is full; the same request may succeed later. */
    BLOB_STORE_UNAVAILABLE,
    PRINCIPAL_NOT_FOUND,
    /** The caller is neither a user nor a service account, as the request needs it. */
    NO_PRINCIPAL,
    TOKEN_NOT_FOUND,
    /** The identity of somebody who logs in is not proven; the message says why. */
    LOGIN_FAILED,
    /** The installation has no OpenID Connect provider. */
    PROVIDER_NOT_SET,
    /** The OpenID Connect provider does not answer, or not as it should. */
    PROVIDER_UNAVAILABLE,
    /** No program waits for the approval of a user with this code. */
    DEVICE_NOT_FOUND,
    TRUST_NOT_FOUND,
    TOO_MANY_TRUSTS,
    /** The owner of the installation has not named the issuer, so its JWTs cannot be trusted. */
    ISSUER_NOT_TRUSTED,
    /** Several service accounts trust the JWT, and the request names none. */
    SEVERAL_ACCOUNTS,
    ROLE_NOT_FOUND,
    SECRET_NOT_FOUND,
    ALERT_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    RESOURCE_TYPE_NOT_FOUND,
    /** There is no schedule, webhook or other trigger at the path. */
    TRIGGER_NOT_FOUND,
    /** A step refers to a secret or resource that has no usable value; the message says why. */
    SECRET_UNAVAILABLE,
    /** A store of secrets does not answer; the same request may succeed later. */
    SECRET_STORE_UNAVAILABLE,
    /** The server lacks a key-encryption key, or a store that the request names. */
    KEY_MISSING,
    /** The workspace has as many of these as it may have. */
    TOO_MANY,
    /** There is something else with this name. */
    NAME_TAKEN,
    /** No live session has the id. */
    WORKER_NOT_FOUND,
    /** The worker is not for trials, so nobody kills it by a call. */
    WORKER_NOT_KILLABLE,
    /** The installation would be without an owner. */
    LAST_OWNER,
    /** The bulk operation has ended, so it cannot be canceled. */
    BULK_OPERATION_ENDED,
    /** No wait of the run matches the request. */
    NOT_WAITING,
    /** The wait is assigned to certain people, and the actor is not among them. */
    NOT_ASSIGNED,
    /** The signature of the link is wrong, or the link has expired. */
    WAIT_LINK_INVALID,
    /** The run already has the maximum number of signals. */
    TOO_MANY_SIGNALS,
    /** The scheduler is behind and accepts no new work at the moment. */
    OVERLOADED,
    /** The call goes beyond a quota of its workspace or token; the message says which. */
    QUOTA_EXCEEDED,
    /** The scheduler is about to stop. */
    SHUTTING_DOWN,
    DATABASE_UNAVAILABLE,
    /** The version of the database's schema does not match this program. */
    SCHEMA_MISMATCH,
    INVALID_CONFIG,
    /** A defect in Millrace. */
    INTERNAL
}
