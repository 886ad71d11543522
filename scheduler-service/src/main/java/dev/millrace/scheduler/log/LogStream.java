package dev.millrace.scheduler.log;

/** Where a piece of log comes from. */
public enum LogStream {
    STDOUT(1),
    STDERR(2),
    /** Millrace itself. */
    SYSTEM(3),
    /** What user code says about its step on purpose. */
    TRACE(4);

    private final short number;

    LogStream(int number) {
        this.number = (short) number;
    }

    /** Number in the database. */
    short number() {
        return number;
    }

    static LogStream of(short number) {
        for (LogStream stream : values()) {
            if (stream.number == number) {
                return stream;
            }
        }
        throw new IllegalStateException("job_log.stream: " + number + " (expected: 1 to 4)");
    }
}
