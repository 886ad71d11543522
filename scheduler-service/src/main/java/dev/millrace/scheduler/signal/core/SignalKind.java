package dev.millrace.scheduler.signal.core;

/** The meaning of a signal, with its code in the database. */
public enum SignalKind {
    /** The awaited event, or an approval. */
    RESUME(1),
    /** A denial. */
    DENY(2),
    /** The result of a human task. */
    COMPLETE(3),
    /** A failure of what a step waits for. */
    FAIL(4);

    private final short code;

    SignalKind(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /**
     * Returns the kind with a code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static SignalKind ofCode(int code) {
        for (SignalKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("signal kind: " + code + " (expected: 1 to " + values().length + ")");
    }
}
