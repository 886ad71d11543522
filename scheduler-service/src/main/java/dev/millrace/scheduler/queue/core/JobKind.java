package dev.millrace.scheduler.queue.core;

/** What kind of thing a job or step is, with the code that stands for it in the database and in the API. */
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
    /** No step: voids all earlier rows at its key and below it, so that what stands there begins again. */
    RESET(14, Role.RECORD),
    CHILD_RUN(15, Role.WAIT);

    /** Where things of a kind stand while they are in progress. */
    private enum Role {
        /** In the queue and then with a worker. */
        JOB,
        /** In the queue, until something happens. */
        WAIT,
        /** In the history, with a row for the begin and one for the end. */
        CONTAINER,
        /** Nowhere: a row of the history is all there is. */
        RECORD,
        /** In the queue, with steps of its own. */
        RUN
    }

    private final short code;
    private final Role role;

    JobKind(int code, Role role) {
        this.code = (short) code;
        this.role = role;
    }

    public short code() {
        return code;
    }

    /** Whether it is work for a worker. */
    public boolean isJob() {
        return role == Role.JOB;
    }

    /** Whether it stands in the queue without being work for a worker: it is in progress from its beginning on. */
    public boolean isWait() {
        return role == Role.WAIT;
    }

    /** Whether steps stand inside of it, so that it leaves a row when it begins, too. */
    public boolean isContainer() {
        return role == Role.CONTAINER;
    }

    /** The kind with this code. Fails with {@link IllegalArgumentException} where there is none. */
    public static JobKind ofCode(int code) {
        for (JobKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("job kind: " + code + " (expected: 1 to " + values().length + ")");
    }

    /** The kind of a job with this target. */
    public static JobKind of(JobTarget target) {
        return switch (target) {
            case JobTarget.Script _ -> SCRIPT;
            case JobTarget.Handler _ -> HANDLER;
        };
    }
}
