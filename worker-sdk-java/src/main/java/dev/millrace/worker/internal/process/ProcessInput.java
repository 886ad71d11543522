package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines into the pipe of one process. Lines that may have to wait for the process to read are written by a background thread, in their
 * order. Thread-safe; nothing is locked during a write.
 */
final class ProcessInput {
    private final Process process;
    private final Executor background;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private boolean writing;

    ProcessInput(Process process, Executor background) {
        this.process = requireNonNull(process, "process");
        this.background = requireNonNull(background, "background");
    }

    /** Writes a line that the pipe takes for sure, ahead of those that wait. */
    void write(byte[] line) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write(line);
            stdin.flush();
        } catch (IOException e) {
            // The process has ended: its reader is about to notice, and sends the job elsewhere.
        }
    }

    /** Has a line written after those that wait. */
    void writeLater(byte[] line) {
        synchronized (this) {
            waiting.add(line);
            if (writing) {
                return;
            }
            writing = true;
        }
        background.execute(this::writeWaiting);
    }

    /** How many lines wait for the process to read. */
    synchronized int waitingCount() {
        return waiting.size();
    }

    private void writeWaiting() {
        for (byte[] line = next(); line != null; line = next()) {
            write(line);
        }
    }

    private synchronized byte @Nullable [] next() {
        byte[] line = waiting.poll();
        writing = line != null;
        return line;
    }
}
