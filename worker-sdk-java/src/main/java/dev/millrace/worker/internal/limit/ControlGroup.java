package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control group of one process and all its descendants. */
public final class ControlGroup implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(ControlGroup.class);

    /** The system removes no group before its last member is gone, which it may be some time after its end. */
    private static final Duration EMPTY_MAX = Duration.ofSeconds(2);

    private static final long EMPTY_POLL_MILLIS = 1;

    private final Path folder;
    private final Runnable closed;

    ControlGroup(Path folder, Runnable closed) {
        this.folder = requireNonNull(folder, "folder");
        this.closed = requireNonNull(closed, "closed");
    }

    /** The file to which a process writes 0 to become a member. */
    public Path members() {
        return folder.resolve("cgroup.procs");
    }

    /** Sets a limit, if the system lets the worker control what it limits. */
    void set(String name, String value) throws IOException {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
            ControlTree.write(file, value);
        }
    }

    /** Whether the system has ended members because the group was out of memory. */
    public boolean wasOutOfMemory() {
        try {
            return Files.readAllLines(folder.resolve("memory.events")).stream()
                    .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
        } catch (IOException e) {
            return false; // Memory is not controlled, or the group is gone.
        }
    }

    /**
     * Ends all members at once, also those that are being forked.
     *
     * @return false if the system cannot; Linux 5.14 and newer can
     */
    public boolean kill() {
        try {
            Files.writeString(folder.resolve("cgroup.kill"), "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends all members and removes the group. Blocks until they are gone, some milliseconds as a rule. */
    @Override
    public void close() {
        kill();
        long startNanos = System.nanoTime();
        try {
            while (!ControlTree.remove(folder)) {
                if (System.nanoTime() - startNanos > EMPTY_MAX.toNanos()) {
                    logger.warn("The control group {} has members that do not end, and remains.", folder);
                    break;
                }
                Thread.sleep(EMPTY_POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed.run();
    }
}
