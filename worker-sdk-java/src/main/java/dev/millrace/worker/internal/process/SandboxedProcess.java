package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process in a sandbox. Its streams and its end are those of bubblewrap, which waits for it. Its number and its handle
 * are its own, because signals go to it and its memory counts. Until it is there, they are those of bubblewrap, which it
 * does not outlive.
 */
final class SandboxedProcess extends Process {
    private final Process bubblewrap;
    private volatile @Nullable ProcessHandle inner;

    SandboxedProcess(Process bubblewrap) {
        this.bubblewrap = requireNonNull(bubblewrap, "bubblewrap");
    }

    /** The first child of the sandbox's first process, which is the only child of bubblewrap. */
    private ProcessHandle inner() {
        ProcessHandle known = inner;
        if (known == null) {
            known = firstChild(bubblewrap.pid())
                    .flatMap(SandboxedProcess::firstChild)
                    .flatMap(ProcessHandle::of)
                    .orElse(null);
            inner = known;
        }
        return known == null ? bubblewrap.toHandle() : known;
    }

    private static Optional<Long> firstChild(long pid) {
        Path children = Path.of("/proc", Long.toString(pid), "task", Long.toString(pid), "children");
        try {
            String listed =
                    Files.readString(children, StandardCharsets.US_ASCII).strip();
            return listed.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(listed.split(" ", 2)[0]));
        } catch (IOException e) {
            return Optional.empty(); // It has ended.
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return bubblewrap.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return bubblewrap.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return bubblewrap.getErrorStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return bubblewrap.waitFor();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return bubblewrap.waitFor(timeout, unit);
    }

    @Override
    public int exitValue() {
        return bubblewrap.exitValue();
    }

    @Override
    public void destroy() {
        inner().destroy();
    }

    /** Ends bubblewrap and with it all that is in the sandbox. */
    @Override
    public Process destroyForcibly() {
        bubblewrap.destroyForcibly();
        return this;
    }

    @Override
    public boolean isAlive() {
        return bubblewrap.isAlive();
    }

    @Override
    public long pid() {
        return inner().pid();
    }

    @Override
    public ProcessHandle toHandle() {
        return inner();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return bubblewrap.onExit().thenApply(ended -> this);
    }
}
