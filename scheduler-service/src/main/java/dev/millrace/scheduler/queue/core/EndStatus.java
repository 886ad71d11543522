package dev.millrace.scheduler.queue.core;

/** How a finished job ended, with its code in the database. */
public enum EndStatus {
    SUCCEEDED(1),
    FAILED(2),
    CANCELED(3),
    SKIPPED(4);

    private final short code;

    EndStatus(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /**
     * Returns the status with a code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static EndStatus ofCode(int code) {
        for (EndStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("end status: " + code + " (expected: 1 to " + values().length + ")");
    }

    /** Returns the status of an outcome. */
    public static EndStatus of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> SUCCEEDED;
            case Outcome.Failed _ -> FAILED;
            case Outcome.Canceled _ -> CANCELED;
            case Outcome.Skipped _ -> SKIPPED;
        };
    }
}
