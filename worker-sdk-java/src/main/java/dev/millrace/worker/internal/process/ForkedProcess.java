package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that the template has forked. The template is its parent and reports its end. One socket is its stdin and
 * stdout, a second one its stderr.
 */
final class ForkedProcess extends Process {
    /** Exit code of a process whose parent has ended before it. */
    static final int UNKNOWN_EXIT = -1;

    /** Longest time from the kill of a process to the report of its end. */
    static final long REPORT_MILLIS_MAX = 2_000;

    private static final long ORPHAN_POLL_MILLIS = 20;

    private final ProcessHandle handle;
    private final SocketChannel channel;
    private final InputStream frames;
    private final InputStream errors;
    private final OutputStream jobs;
    private final Runnable parentIsSilent;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    /** @param parentIsSilent runs if the template does not report the end of the killed process */
    ForkedProcess(ProcessHandle handle, SocketChannel channel, SocketChannel errors, Runnable parentIsSilent) {
        this.handle = requireNonNull(handle, "handle");
        this.parentIsSilent = requireNonNull(parentIsSilent, "parentIsSilent");
        this.channel = requireNonNull(channel, "channel");
        this.frames = new Received(channel);
        this.errors = new Received(errors);
        this.jobs = new Sent(channel);
    }

    /** Tells the process what it is to be. */
    void begin(byte[] message) throws IOException {
        jobs.write(message);
    }

    /** Records the end. Whoever waits for it runs on another thread, since some do much. */
    void exited(int code) {
        Threads.daemon("millrace-process-end-" + handle.pid(), () -> exit.complete(code))
                .start();
    }

    /** Watches the process itself, since its parent is gone. The system does not tell the exit code to others. */
    void orphaned() {
        Threads.daemon("millrace-orphan-" + handle.pid(), this::awaitEndOfOrphan)
                .start();
    }

    private void awaitEndOfOrphan() {
        try {
            while (handle.isAlive() && !isZombie()) {
                Thread.sleep(ORPHAN_POLL_MILLIS);
            }
            exit.complete(UNKNOWN_EXIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it has ended, and its new parent has not noticed yet, which some never do. */
    private boolean isZombie() {
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(handle.pid()), "stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
        } catch (IOException e) {
            return false; // It has ended, or this system has no such files.
        }
    }

    /** Makes sure that the end of the process, which has just been killed, is noticed soon. */
    void expectEnd() {
        var unused = exit.copy()
                .orTimeout(REPORT_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .exceptionally(late -> {
                    parentIsSilent.run();
                    return UNKNOWN_EXIT;
                });
    }

    /** Closes the sockets after the end. */
    void release() {
        try {
            channel.close();
            errors.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return jobs;
    }

    @Override
    public InputStream getInputStream() {
        return frames;
    }

    @Override
    public InputStream getErrorStream() {
        return errors;
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return exit.get();
        } catch (ExecutionException impossible) {
            throw new AssertionError("an end is never a failure", impossible);
        }
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            exit.get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException impossible) {
            throw new AssertionError("an end is never a failure", impossible);
        }
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("The process " + handle.pid() + " has not ended.");
        }
        return exit.join();
    }

    @Override
    public boolean isAlive() {
        return !exit.isDone();
    }

    @Override
    public void destroy() {
        handle.destroy();
    }

    @Override
    public Process destroyForcibly() {
        handle.destroyForcibly();
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public long pid() {
        return handle.pid();
    }

    @Override
    public ProcessHandle toHandle() {
        return handle;
    }

    @Override
    public ProcessHandle.Info info() {
        return handle.info();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit.thenApply(code -> this);
    }

    /** What arrives on a socket. Unlike the streams of {@code Channels}, it never makes a writer wait. */
    private static final class Received extends InputStream {
        private final SocketChannel channel;

        Received(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** What is sent on a socket. Its end is the end of what the process can read; the process may still write. */
    private static final class Sent extends OutputStream {
        private final SocketChannel channel;

        Sent(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }

        @Override
        public void close() throws IOException {
            if (channel.isOpen()) {
                channel.shutdownOutput();
            }
        }
    }
}
