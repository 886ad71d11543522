package dev.millrace.kafka;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Turns of the clients of a process that read large responses. Few have one at a time, so that many clients that large messages
 * wait for do not fill the heap. Of those that are ready, the one that has waited longest goes first. Small responses need no turn. Thread-safe.
 */
public final class ResponseTurns {
    private final int atOnceMax;
    private final int smallBytesMax;
    private final Set<ResponseLimit> holders = new HashSet<>();
    private final Set<ResponseLimit> waiting = new LinkedHashSet<>();
    /** Those of the queue that would begin at once. Others may be busy elsewhere, and hold nobody up. */
    private final Set<ResponseLimit> ready = new HashSet<>();

    /**
     * @param atOnceMax number of clients that have a turn at a time
     * @param smallBytesMax longest response that needs no turn
     */
    public ResponseTurns(int atOnceMax, int smallBytesMax) {
        this.atOnceMax = atOnceMax;
        this.smallBytesMax = smallBytesMax;
    }

    boolean needsTurn(int bytes) {
        return bytes > smallBytesMax;
    }

    /** Longest part of a batch that needs no turn: a consumer holds it twice, expanded and as a message. */
    long smallPartBytesMax(int bytesMax) {
        return smallBytesMax >= bytesMax ? bytesMax : smallBytesMax / 2;
    }

    /** Takes a turn, or enters the queue. Returns whether the client has one. */
    synchronized boolean take(ResponseLimit client) {
        if (holders.contains(client)) {
            return true;
        }
        waiting.add(client);
        if (holders.size() < atOnceMax && isNext(client)) {
            waiting.remove(client);
            holders.add(client);
            return true;
        }
        return false;
    }

    private boolean isNext(ResponseLimit client) {
        return waiting.stream()
                .filter(one -> one.equals(client) || ready.contains(one))
                .findFirst()
                .equals(Optional.of(client));
    }

    /** Waits until the client has a turn, and no longer than this time. Returns whether it has one. */
    synchronized boolean await(ResponseLimit client, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        ready.add(client);
        try {
            while (!take(client)) {
                long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        } finally {
            ready.remove(client);
            // The next in the queue may find a turn, too.
            notifyAll();
        }
    }

    /** Gives a turn back, and leaves the queue. */
    synchronized void end(ResponseLimit client) {
        holders.remove(client);
        waiting.remove(client);
        notifyAll();
    }

    synchronized boolean isWanted() {
        return !waiting.isEmpty();
    }
}
