package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one process, lines into its pipe and signals, strictly in the order in which it was queued.
 *
 * <p>Thread-safe. One thread at a time works the queue off; one that comes while another is at it leaves its own to that one, and never waits.
 * From the first line on that may have to wait for the process to read, the background goes on, so that no other thread ever waits for a
 * process. Nothing is locked during a write.
 */
final class ProcessInput {
    private final OutputStream stdin;
    private final Runnable signal;
    private final Executor background;
    private final ArrayDeque<Turn> queue = new ArrayDeque<>();
    private boolean isWorkedOff;

    /** @param signal has the process look at its pipe */
    ProcessInput(OutputStream stdin, Runnable signal, Executor background) {
        this.stdin = requireNonNull(stdin, "stdin");
        this.signal = requireNonNull(signal, "signal");
        this.background = requireNonNull(background, "background");
    }

    /** Something for the process, in its turn. */
    sealed interface Turn {}

    private enum Signal implements Turn {
        INSTANCE
    }

    /** A line on its way to the process. */
    static final class Line implements Turn {
        private final byte[] bytes;
        private final boolean mayWait;
        private volatile boolean lost;

        private Line(byte[] bytes, boolean mayWait) {
            this.bytes = bytes;
            this.mayWait = mayWait;
        }

        /** True where the process was gone before it had all of the line: nothing has come of it. */
        boolean isLost() {
            return lost;
        }
    }

    /**
     * Queues a line; {@link #workOff} writes it.
     *
     * @param mayWait whether the pipe may be too full for it
     */
    synchronized Line add(byte[] bytes, boolean mayWait) {
        Line line = new Line(bytes, mayWait);
        queue.add(line);
        return line;
    }

    /** Queues a signal, which the process gets once all lines before it are in its pipe. */
    synchronized void addSignal() {
        queue.add(Signal.INSTANCE);
    }

    /** How many lines and signals wait for their turn. */
    synchronized int waitingCount() {
        return queue.size();
    }

    /** Writes what is queued, or leaves it to whoever is writing. Never waits for the process. */
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

    /** Returns false where the rest is left to a thread that may wait. */
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

    /** Returns false where the process has ended: its reader is about to notice, and sends its jobs elsewhere. */
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
