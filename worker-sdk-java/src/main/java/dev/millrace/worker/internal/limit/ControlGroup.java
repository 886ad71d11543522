package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control group of one process and all its descendants. */
public final class ControlGroup implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(ControlGroup.class);

    /** The system removes no group before its last member is gone, which it may be some time after its end. */
    private static final Duration EMPTY_MAX = Duration.ofSeconds(2);

    private static final long EMPTY_POLL_MILLIS = 1;

    private static final String MEMBERS = "cgroup.procs";

    /** What the line begins with that counts how often a fork has met the limit. */
    private static final String REFUSALS = "max ";

    private final Path folder;
    private final Optional<Path> tasks;
    private final Runnable closed;
    private final AtomicLong refusalsSeen = new AtomicLong();

    /** @param tasks folder of the group of cgroup v1 that is to limit tasks; empty if this group does so itself */
    ControlGroup(Path folder, Optional<Path> tasks, Runnable closed) {
        this.folder = requireNonNull(folder, "folder");
        this.tasks = requireNonNull(tasks, "tasks");
        this.closed = requireNonNull(closed, "closed");
    }

    /** The files to each of which a process writes 0 to become a member. */
    public List<Path> members() {
        return Stream.concat(Stream.of(folder), tasks.stream())
                .map(group -> group.resolve(MEMBERS))
                .collect(toList());
    }

    /**
     * Limits the number of processes and threads, if the system lets the worker control them.
     *
     * @param max largest number; 0 for no limit
     */
    void limitTasks(long max) throws IOException {
        if (tasks.isPresent()) {
            Files.createDirectory(tasks.get());
        }
        if (max > 0) {
            set(tasks.orElse(folder), "pids.max", Long.toString(max));
        }
    }

    /** Sets a limit, if the system lets the worker control what it limits. */
    void set(String name, String value) throws IOException {
        set(folder, name, value);
    }

    private static void set(Path group, String name, String value) throws IOException {
        Path file = group.resolve(name);
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

    /** Whether the system has refused a process or thread to a member since the last call, for want of allowed ones. */
    public boolean hasRefusedTasks() {
        try {
            long refusals = Files.readAllLines(tasks.orElse(folder).resolve("pids.events")).stream()
                    .filter(line -> line.startsWith(REFUSALS))
                    .mapToLong(line -> Long.parseLong(line.substring(REFUSALS.length())))
                    .sum();
            return refusals > refusalsSeen.getAndSet(refusals);
        } catch (IOException | NumberFormatException e) {
            return false; // Tasks are not controlled, or the group is gone.
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
            while (!tasks.map(ControlTree::remove).orElse(true) || !ControlTree.remove(folder)) {
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
