package dev.millrace.scheduler.kafka.core;

/**
 * Search for the end of a batch of messages that cannot be read: the first offset from which on a partition can. Brokers do not
 * say where a batch ends, and answer with a whole batch to whoever asks for a part of it. So offsets are tried: those behind
 * the begin at doubling distances, then halves of what is left. Not thread-safe.
 */
public final class BatchEnd {
    private long insideLast;
    private long end;
    private long distance = 1;
    private boolean isBounded;

    /**
     * @param begin first offset, which cannot be read
     * @param partitionEnd offset behind the last message of the partition, which counts as one that can be read
     */
    public BatchEnd(long begin, long partitionEnd) {
        if (begin >= partitionEnd) {
            throw new IllegalArgumentException("begin: " + begin + " (expected: below " + partitionEnd + ")");
        }
        this.insideLast = begin;
        this.end = partitionEnd;
    }

    /** Whether {@link #end} is the end of the batch. */
    public boolean isFound() {
        return end - insideLast == 1;
    }

    /** Offset behind the batch, as far as it is known. */
    public long end() {
        return end;
    }

    /** The offset to try next. Only while it is not found. */
    public long next() {
        long half = insideLast + (end - insideLast) / 2;
        return isBounded ? half : Math.min(half, insideLast + distance);
    }

    /** Takes what has become of the last try. */
    public void tried(boolean canBeRead) {
        long offset = next();
        if (canBeRead) {
            end = offset;
            isBounded = true;
        } else {
            insideLast = offset;
            distance *= 2;
        }
    }
}
