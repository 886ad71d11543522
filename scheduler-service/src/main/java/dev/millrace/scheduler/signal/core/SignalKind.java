package dev.millrace.scheduler.signal.core;

/** What a signal says, with the code that stands for it in the database. */
public enum SignalKind {
    /** The event that was waited for, or an approval. */
    RESUME(1),
    /** A denial. */
    DENY(2),
    /** The result of a human task. */
    COMPLETE(3);

    private final short code;

    SignalKind(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /** The kind with this code. Fails with {@link IllegalArgumentException} where there is none. */
    public static SignalKind ofCode(int code) {
        for (SignalKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("signal kind: " + code + " (expected: 1 to " + values().length + ")");
    }
}
