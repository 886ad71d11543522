package dev.millrace.scheduler.queue.core;

/** The kind of a job or step, with its code in the database and in the API. */
public enum JobKind {
    SCRIPT(1, Role.JOB),
    HANDLER(2, Role.JOB),
    FLOW(3, Role.RUN),
    FOR_EACH(4, Role.CONTAINER),
    SWITCH(5, Role.CONTAINER),
    WHILE(6, Role.CONTAINER),
    PARALLEL(7, Role.CONTAINER),
    WAIT(8, Role.WAIT),
    COMPUTE(9, Role.RECORD),
    SET_VARIABLES(10, Role.RECORD),
    TERMINATE(11, Role.RECORD),
    SUB_FLOW(12, Role.CONTAINER),
    START_RUN(13, Role.RECORD),
    /** Not a step: voids all earlier rows at its key and below it, so that these steps begin again. */
    RESET(14, Role.RECORD),
    CHILD_RUN(15, Role.WAIT),
    PUBLISH(16, Role.RECORD);

    /** Where a job or step of this kind is while it is in progress. */
    private enum Role {
        /** In the queue, then with a worker. */
        JOB,
        /** In the queue, until an event ends it. */
        WAIT,
        /** In the history, with a row for its beginning and one for its end. */
        CONTAINER,
        /** Only in the history, as a single row. */
        RECORD,
        /** In the queue, and has steps of its own. */
        RUN
    }

    /** One array for all look-ups, because {@link #values} copies it. */
    private static final JobKind[] ALL = values();

    private final short code;
    private final Role role;

    JobKind(int code, Role role) {
        this.code = (short) code;
        this.role = role;
    }

    public short code() {
        return code;
    }

    /** Returns whether a worker executes it. */
    public boolean isJob() {
        return role == Role.JOB;
    }

    /**
     * Returns whether it is in the queue without being work for a worker, so that it is in progress from its beginning.
     */
    public boolean isWait() {
        return role == Role.WAIT;
    }

    /** Returns whether it contains steps, so that it also writes a row when it begins. */
    public boolean isContainer() {
        return role == Role.CONTAINER;
    }

    /**
     * Returns the kind with a code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static JobKind ofCode(int code) {
        for (JobKind kind : ALL) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("job kind: " + code + " (expected: 1 to " + ALL.length + ")");
    }

    /** Returns the kind of a job with this target. */
    public static JobKind of(JobTarget target) {
        return switch (target) {
            case JobTarget.Script _ -> SCRIPT;
            case JobTarget.Handler _ -> HANDLER;
        };
    }
}
