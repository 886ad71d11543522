package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Queue of lines and signals for one process, which get there strictly in their order.
 *
 * <p>Thread-safe. One thread at a time works the queue off; a thread that finds another one at work leaves its items to
 * that one and never waits. From the first line that may have to wait for the process to read, a background thread
 * continues, so that no other thread ever waits for a process. No lock is held during a write.
 */
final class ProcessInput {
    private final OutputStream stdin;
    private final Runnable signal;
    private final Executor background;
    private final ArrayDeque<Turn> queue = new ArrayDeque<>();
    private boolean isWorkedOff;

    /** @param signal makes the process look at its pipe */
    ProcessInput(OutputStream stdin, Runnable signal, Executor background) {
        this.stdin = requireNonNull(stdin, "stdin");
        this.signal = requireNonNull(signal, "signal");
        this.background = requireNonNull(background, "background");
    }

    /** An item of the queue. */
    sealed interface Turn {}

    private enum Signal implements Turn {
        INSTANCE
    }

    /** A line for the process. */
    static final class Line implements Turn {
        private final byte[] bytes;
        private final boolean mayWait;
        private volatile boolean lost;

        private Line(byte[] bytes, boolean mayWait) {
            this.bytes = bytes;
            this.mayWait = mayWait;
        }

        /** True if the process was gone before it received the whole line, which then had no effect. */
        boolean isLost() {
            return lost;
        }
    }

    /**
     * Queues a line; {@link #workOff} writes it.
     *
     * @param mayWait whether the pipe may lack room for the line
     */
    synchronized Line add(byte[] bytes, boolean mayWait) {
        Line line = new Line(bytes, mayWait);
        queue.add(line);
        return line;
    }

    /** Queues a signal, which is sent once all lines before it are in the pipe. */
    synchronized void addSignal() {
        queue.add(Signal.INSTANCE);
    }

    /** Number of queued lines and signals. */
    synchronized int waitingCount() {
        return queue.size();
    }

    /** Writes the queued items, or leaves them to the thread that is writing. Never waits for the process. */
    void workOff() {
        if (begin() && !workOff(false)) {
            background.execute(() -> workOff(true));
        }
    }

    private synchronized boolean begin() {
        if (isWorkedOff) {
            return false;
        }
        isWorkedOff = true;
        return true;
    }

    /** Returns false if the rest is left to a thread that may wait. */
    private boolean workOff(boolean mayWait) {
        while (true) {
            @Nullable Turn turn;
            synchronized (this) {
                turn = queue.peek();
                if (turn instanceof Line line && line.mayWait && !mayWait) {
                    return false;
                }
                queue.poll();
                isWorkedOff = turn != null;
            }
            if (turn == null) {
                return true;
            }
            perform(turn);
        }
    }

    private void perform(Turn turn) {
        if (turn instanceof Line line) {
            line.lost = !write(line.bytes);
        } else {
            signal.run();
        }
    }

    /** Returns false if the process has ended. Its reader is about to notice, and moves its jobs elsewhere. */
    private boolean write(byte[] bytes) {
        try {
            stdin.write(bytes);
            stdin.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
