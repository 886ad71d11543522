package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns of the connections of a process that read large answers of databases. Few have one at a time, so that many
 * servers that answer with much do not fill the heap. Owners take turns, and the connections of an owner come in order,
 * so that an owner with many connections does not hold up another one. A connection that keeps its turn for long while
 * others wait is closed, so a server that sends its answer slowly does not hold them up for ever. Thread-safe.
 */
public final class AnswerTurns {
    /** Time after which a connection is closed whose turn others wait for. */
    private static final Duration TURN_TIME = Duration.ofSeconds(15);
    /** Longest wait for a turn. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final int atOnceMax;
    private final int smallBytesMax;
    private final Duration turnTime;
    private final Duration patience;
    /** Connections that have a turn, and since when. */
    private final Map<BoundedConnection, Long> holders = new HashMap<>();
    /** What waits, by owner. The owner that is first comes next. */
    private final Map<String, Deque<BoundedConnection>> lines = new LinkedHashMap<>();

    /**
     * @param atOnceMax number of connections that have a turn at a time
     * @param smallBytesMax largest answer that needs no turn, with what a driver makes of it
     */
    public AnswerTurns(int atOnceMax, int smallBytesMax) {
        this(atOnceMax, smallBytesMax, TURN_TIME, PATIENCE);
    }

    AnswerTurns(int atOnceMax, int smallBytesMax, Duration turnTime, Duration patience) {
        this.atOnceMax = atOnceMax;
        this.smallBytesMax = smallBytesMax;
        this.turnTime = requireNonNull(turnTime, "turnTime");
        this.patience = requireNonNull(patience, "patience");
    }

    /**
     * Returns as many turns as fit into the heap, at least one.
     *
     * @param heapBytesATurn what a large answer takes on the heap, with all copies
     */
    public static AnswerTurns ofHeap(long heapBytesATurn, int smallBytesMax) {
        long atOnce = Runtime.getRuntime().maxMemory() / heapBytesATurn;
        return new AnswerTurns((int) Math.max(1, Math.min(atOnce, Integer.MAX_VALUE)), smallBytesMax);
    }

    boolean needsTurn(long bytes) {
        return bytes > smallBytesMax;
    }

    /**
     * Takes a turn, and waits for it if others are before. Has no effect if the connection has one.
     *
     * @throws IOException if the turn does not come in time, or the connection is closed meanwhile
     */
    void take(BoundedConnection connection) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        if (!isWaiting(connection)) {
            return;
        }
        try {
            while (!isTaken(connection)) {
                // Not under the lock, since the sockets tell of their end.
                awaitChange(connection, end).forEach(BoundedConnection::revoke);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("the wait to read a large answer was interrupted", interrupted);
        } finally {
            leave(connection);
        }
    }

    /** Enters the line of the owner. Returns false if the connection has a turn. */
    private synchronized boolean isWaiting(BoundedConnection connection) {
        if (holders.containsKey(connection)) {
            return false;
        }
        lines.computeIfAbsent(connection.owner(), owner -> new ArrayDeque<>()).addLast(connection);
        return true;
    }

    private synchronized boolean isTaken(BoundedConnection connection) throws IOException {
        if (connection.isGone()) {
            throw new IOException("the connection was closed while a large answer waited for its turn");
        }
        if (!isNext(connection)) {
            return false;
        }
        leave(connection);
        // The other connections of the owner come after those of other owners.
        Deque<BoundedConnection> rest = lines.remove(connection.owner());
        if (rest != null) {
            lines.put(connection.owner(), rest);
        }
        holders.put(connection, System.nanoTime());
        return true;
    }

    private boolean isNext(BoundedConnection connection) {
        return holders.size() < atOnceMax
                && connection.equals(lines.values().iterator().next().peekFirst());
    }

    /** Waits until something may have changed. Returns the connections whose turns have lasted too long. */
    @SuppressWarnings("WaitNotInLoop") // Its caller looks again.
    private synchronized List<BoundedConnection> awaitChange(BoundedConnection connection, long end)
            throws InterruptedException, IOException {
        if (isNext(connection) || connection.isGone()) {
            return List.of();
        }
        long now = System.nanoTime();
        if (now - end >= 0) {
            throw new IOException("a large answer has waited for its turn for " + patience.toSeconds()
                    + " s, since other connections read large answers");
        }
        List<BoundedConnection> others =
                holders.keySet().stream().filter(holder -> !holder.isGone()).toList();
        // Those that were closed give their turns back soon.
        int wanted = waiting() - (holders.size() - others.size());
        List<BoundedConnection> late = others.stream()
                .filter(holder -> leftNanos(holder, now) <= 0)
                .sorted(Comparator.comparingLong(holder -> leftNanos(holder, now)))
                .limit(Math.max(0, wanted))
                .toList();
        if (late.isEmpty()) {
            long due = others.stream()
                    .mapToLong(holder -> leftNanos(holder, now))
                    .filter(left -> left > 0)
                    .reduce(end - now, Math::min);
            wait(Duration.ofNanos(due).toMillis() + 1);
        }
        return late;
    }

    private long leftNanos(BoundedConnection holder, long now) {
        return holders.getOrDefault(holder, now) + turnTime.toNanos() - now;
    }

    private synchronized void leave(BoundedConnection connection) {
        Deque<BoundedConnection> line = lines.get(connection.owner());
        if (line != null && line.remove(connection)) {
            if (line.isEmpty()) {
                lines.remove(connection.owner());
            }
            notifyAll();
        }
    }

    /** Lets connections that wait look whether they are closed. */
    synchronized void wake() {
        notifyAll();
    }

    /** Gives a turn back. Has no effect if the connection has none. */
    synchronized void end(BoundedConnection connection) {
        if (holders.remove(connection) != null) {
            notifyAll();
        }
    }

    /** Number of connections that wait. */
    synchronized int waiting() {
        return lines.values().stream().mapToInt(Deque::size).sum();
    }
}
