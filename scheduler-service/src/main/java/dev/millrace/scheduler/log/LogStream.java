package dev.millrace.scheduler.log;

/** Source of a log chunk. */
public enum LogStream {
    STDOUT(1),
    STDERR(2),
    /** Written by Millrace itself. */
    SYSTEM(3),
    /** Written on purpose by user code about its step. */
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
