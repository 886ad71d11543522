package dev.millrace.scheduler.lane;

/**
 * The statements of a flush, in the order in which they run.
 *
 * <p>Rows of flows come first, so that all writers lock in one order. What leaves the queue does so before its
 * successors enter, because they may have the same keys. Only this enum names every statement; the class of each
 * statement describes it.
 */
public enum FlushOrder {
    CHECK_VERSIONS,
    RECORD_SUBMISSION,
    JOIN_LIMIT_QUEUES,
    LOCK_LIMITS,
    BEGIN_RUNS,
    REOPEN_RUNS,
    ADVANCE_FLOWS,
    END_FLOWS,
    CHECK_ADMISSIONS,
    NOTE_ADMISSIONS,
    CHECK_UNSTARTED,
    FINISH_JOBS,
    REQUEUE_JOBS,
    REQUEUE_FOR_LIMIT,
    SKIP_STEPS,
    FAIL_STEPS,
    RECORD_STEPS,
    COPY_STEPS,
    RECORD_ORIGINS,
    RECORD_RUN_OPTIONS,
    INHERIT_STARTERS,
    ENQUEUE_JOBS,
    RAISE_ATTEMPTS,
    BEGIN_GROUPS,
    JOIN_GROUPS,
    QUEUE_FOR_LIMIT,
    DECIDE_GROUPS,
    REQUEUE_PAUSED_FOR_LIMIT,
    HOLD_RUNS,
    BEGIN_WAITS,
    RECORD_SIGNALS,
    TAKE_SIGNALS,
    END_WAITS,
    NOTE_ABANDONED_CHILDREN,
    WITHDRAW_STEPS,
    REPLACE_FIRST,
    END_GROUPS,
    CANCEL_JOBS,
    CHECK_CANCELED,
    CLAIM_JOBS,
    RECORD_OPERATIONS,
    ERASE_STEPS,
    MARK_CACHED,
    BEGIN_CACHE_CALLS,
    KEEP_RESULTS,
    NOTE_CHILD_ENDS,
    SETTLE_CHILD_NOTES,
    RECORD_AUDIT,
    NOTE_MESSAGES,
    RECORD_RUN_EVENTS,
    RECORD_END_EVENTS,
    RECORD_EVENTS,
    RECORD_CLAIM_EVENTS
}
