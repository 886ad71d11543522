package dev.millrace.scheduler.log;

/**
 * A part of a log, and the direction in which it is read.
 *
 * @param after only chunks after this position
 * @param before only chunks before this position
 */
record LogRange(long after, long before, boolean isNewestFirst) {
    private static final long END = Long.MAX_VALUE;

    static LogRange after(long position) {
        return new LogRange(position, END, false);
    }

    /** Reads the bounds of a request, where 0 means none. */
    static LogRange of(long after, long before, boolean isNewestFirst) {
        return new LogRange(after, before == 0 ? END : before, isNewestFirst);
    }

    /** What is left once the chunk at a position was read. */
    LogRange beyond(long position) {
        return isNewestFirst
                ? new LogRange(after, Math.min(before, position), true)
                : new LogRange(Math.max(after, position), before, false);
    }

    /** What is left, with the chunk at a position. */
    LogRange from(long position) {
        return beyond(isNewestFirst ? position + 1 : position - 1);
    }

    /** Position of the last chunk that was read, for the token of the next page. */
    String token() {
        return String.valueOf(isNewestFirst ? before : after);
    }

    /** Whether nothing is left of a log that begins and ends at these positions. */
    boolean isEmpty(LogBounds bounds) {
        return Math.max(after + 1, bounds.first()) > Math.min(before - 1, bounds.last());
    }
}
