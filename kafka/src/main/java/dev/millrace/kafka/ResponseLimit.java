package dev.millrace.kafka;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.network.InvalidReceiveException;

/**
 * Limit on the responses that a client of Kafka reads. A longer response ends its connection, as with the limit of Kafka's own
 * {@code Selector}; this one also tells that it has happened, which Kafka's only logs.
 *
 * <p>Clients may share turns for large responses. Without a turn, a large response ends its connection, too: its broker sends it
 * again once the client asks again, which it should not do before it has a turn. Thread-safe.
 */
public final class ResponseLimit implements MemoryPool {
    private static final int NONE_REFUSED = -1;
    /** Time after which a turn that others wait for ends. */
    private static final Duration TURN_TIME = Duration.ofMillis(500);
    /** Time for which a turn waits for the response that it was taken for. */
    private static final Duration USE_PATIENCE = Duration.ofSeconds(2);
    /** Time after which a response counts as lost that was not read to its end. Longer than any request may take. */
    private static final Duration READ_PATIENCE = Duration.ofSeconds(30);

    private final int bytesMax;
    private final ResponseTurns turns;

    private int refused = NONE_REFUSED;
    private boolean hasTurn;
    private boolean isWaiting;
    private boolean isEnding;
    private boolean isUsed;
    private boolean isSettled;
    private int settled;
    /** Number of batches with large parts since the turn began. */
    private int expanded;

    private boolean keepsLargeBuffers;
    private long turnSince;
    private final List<Reading> readings = new ArrayList<>();

    /** A large response. Its memory is freed with the turn, since a consumer keeps the last response until the next one. */
    private record Reading(Arena arena, ByteBuffer buffer, long since) {
        static Reading of(int bytes) {
            Arena arena = Arena.ofShared();
            return new Reading(arena, arena.allocate(bytes).asByteBuffer(), System.nanoTime());
        }

        boolean isOver() {
            return !buffer.hasRemaining() || System.nanoTime() - since > READ_PATIENCE.toNanos();
        }

        /** Returns whether that has worked: not while a connection reads into it. */
        boolean isFreed() {
            try {
                arena.close();
                return true;
            } catch (IllegalStateException inUse) {
                return false;
            }
        }
    }

    /** @param bytesMax longest response */
    public ResponseLimit(int bytesMax) {
        this(bytesMax, new ResponseTurns(1, bytesMax));
    }

    /**
     * @param bytesMax longest response
     * @param turns for large responses
     */
    public ResponseLimit(int bytesMax, ResponseTurns turns) {
        this.bytesMax = bytesMax;
        this.turns = turns;
    }

    /** The size of the last response that was too long, in bytes; empty if there was none since the last call. */
    public synchronized OptionalInt takeRefused() {
        int bytes = refused;
        refused = NONE_REFUSED;
        return bytes == NONE_REFUSED ? OptionalInt.empty() : OptionalInt.of(bytes);
    }

    /** Whether the client waits for a turn, and must not ask for messages until it has one. */
    public synchronized boolean isWaiting() {
        return isWaiting && !hasTurn;
    }

    /** Whether the client has a turn. */
    public synchronized boolean hasTurn() {
        return hasTurn;
    }

    /** Whether others wait for the turn of this client, which ends once the client has nothing left of what it has read. */
    public synchronized boolean isEnding() {
        return isEnding;
    }

    /** Whether the client has no turn, but keeps buffers of an earlier one until it is closed. */
    public synchronized boolean keepsLargeBuffers() {
        return keepsLargeBuffers && !hasTurn;
    }

    /** Takes a turn, or waits for one from now on. Returns whether the client has one. */
    public synchronized boolean takeTurn() {
        if (!hasTurn) {
            isWaiting = true;
            if (turns.take(this)) {
                begin();
            }
        }
        return hasTurn;
    }

    /** Waits for a turn, and no longer than this time. */
    public void awaitTurn(Duration time) throws InterruptedException {
        if (turns.await(this, time)) {
            synchronized (this) {
                begin();
            }
        }
    }

    private void begin() {
        if (!hasTurn) {
            hasTurn = true;
            isWaiting = false;
            isUsed = false;
            expanded = 0;
            turnSince = System.nanoTime();
        }
    }

    /** To be called before each poll of the client. */
    public synchronized void beforePoll() {
        isSettled = isRead();
        settled = readings.size() + expanded;
    }

    private boolean isRead() {
        return readings.stream().allMatch(Reading::isOver);
    }

    /**
     * To be called once what a poll has given is done. The turn ends if nothing is left of responses.
     *
     * @param isEmpty whether the poll has given no message, though no partition was paused
     */
    public synchronized void afterPoll(boolean isEmpty) {
        if (!hasTurn) {
            return;
        }
        long age = System.nanoTime() - turnSince;
        boolean isDone = isUsed || age > USE_PATIENCE.toNanos();
        if (isEmpty && isDone && isSettled && settled == readings.size() + expanded && isFreed()) {
            boolean comesAgain = isWaiting;
            end();
            if (comesAgain) {
                var _ = takeTurn();
            }
        } else if (isDone && age > TURN_TIME.toNanos() && turns.isWanted()) {
            isEnding = true;
        }
    }

    /** Gives the turn back, because the client is closed. */
    public synchronized void close() {
        var _ = isFreed();
        end();
    }

    private boolean isFreed() {
        readings.removeIf(Reading::isFreed);
        return readings.isEmpty();
    }

    private void end() {
        hasTurn = false;
        isWaiting = false;
        isEnding = false;
        turns.end(this);
    }

    /** Longest part of a batch that can be read now, for which no turn must be taken first. */
    synchronized long partBytesMax() {
        return hasTurn && !isEnding ? bytesMax : turns.smallPartBytesMax(bytesMax);
    }

    /**
     * Whether a batch may be read now. Takes a turn for it if it needs one.
     *
     * @param bytes of its largest part
     * @param keepsBuffers whether the consumer keeps the buffers in which it has expanded a large part
     */
    synchronized boolean admit(long bytes, boolean keepsBuffers) {
        if (bytes > bytesMax) {
            refused = (int) Math.min(bytes, Integer.MAX_VALUE);
            return false;
        }
        if (bytes <= turns.smallPartBytesMax(bytesMax)) {
            return true;
        }
        if (isEnding || !takeTurn()) {
            isWaiting = true;
            return false;
        }
        isUsed = true;
        expanded++;
        keepsLargeBuffers |= keepsBuffers;
        return true;
    }

    @Override
    public synchronized ByteBuffer tryAllocate(int bytes) {
        if (bytes > bytesMax) {
            refused = bytes;
            throw new InvalidReceiveException(
                    "a response of " + bytes + " bytes is too long (expected: at most " + bytesMax + ")");
        }
        if (!turns.needsTurn(bytes)) {
            return ByteBuffer.allocate(bytes);
        }
        if (isEnding || !takeTurn()) {
            isWaiting = true;
            throw new InvalidReceiveException("a response of " + bytes + " bytes is read later, in turn");
        }
        isUsed = true;
        Reading reading = Reading.of(bytes);
        readings.add(reading);
        return reading.buffer();
    }

    @Override
    public void release(ByteBuffer unused) {}

    @Override
    public long size() {
        return Long.MAX_VALUE;
    }

    @Override
    public long availableMemory() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOutOfMemory() {
        return false;
    }
}
