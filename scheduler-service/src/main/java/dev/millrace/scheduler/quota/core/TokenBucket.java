package dev.millrace.scheduler.quota.core;

/**
 * Keeps an average rate. It holds what may be taken at once, at most what flows in within a second. Whoever finds it
 * with something inside may take more than that; then the others wait until the debt has flowed in. So a large batch is
 * never impossible, and the average holds. Not thread-safe.
 */
public final class TokenBucket {
    private static final double NANOS_PER_SECOND = 1e9;

    private double level;
    private long filledNanos;
    private boolean isUsed;

    /**
     * How long to wait before something may be taken, in nanoseconds; 0 for now.
     *
     * @param perSecond the rate; positive
     * @param nowNanos a time that only increases
     */
    public long waitNanos(long perSecond, long nowNanos) {
        fill(perSecond, nowNanos);
        return level >= 1 ? 0 : (long) Math.ceil((1 - level) / (double) perSecond * NANOS_PER_SECOND);
    }

    /** Takes an amount, perhaps more than there is. */
    public void take(long amount, long perSecond, long nowNanos) {
        fill(perSecond, nowNanos);
        level -= (double) amount;
    }

    private void fill(long perSecond, long nowNanos) {
        double room = (double) perSecond;
        double grown = isUsed ? level + (nowNanos - filledNanos) / NANOS_PER_SECOND * room : room;
        level = Math.min(grown, room);
        filledNanos = nowNanos;
        isUsed = true;
    }
}
