package dev.millrace.scheduler.queue.core;

/** What kind of thing a job or step is, with the code that stands for it in the database. */
public enum JobKind {
    SCRIPT(1),
    HANDLER(2),
    FLOW(3),
    FOR_EACH(4),
    SWITCH(5),
    WHILE(6),
    PARALLEL(7),
    WAIT(8),
    COMPUTE(9),
    SET_VARIABLES(10),
    TERMINATE(11),
    SUB_FLOW(12),
    START_RUN(13),
    RESET(14),
    CHILD_RUN(15);

    private final short code;

    JobKind(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
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
