package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads what processes use from {@code /proc}; only on Linux. Takes some 50 µs for each process. Descendants are found
 * from their parents, so only as long as the process is the reaper of those whose parents have ended.
 */
public final class ProcessUsage {
    /** The unit of CPU times below /proc, on every Linux. */
    private static final long TICK_MILLIS = 10;

    /** Fields of /proc/PID/stat after the name: user and system time, and those of the children that have ended. */
    private static final int FIRST_TIME = 11;

    private static final int TIMES = 4;
    private static final int KIBIBYTE = 1024;

    /** A bomb may have any number of processes; beyond this, it is known to be one. */
    private static final int PROCESSES_MAX = 100_000;

    private final Path proc;

    public ProcessUsage() {
        this(Path.of("/proc"));
    }

    ProcessUsage(Path proc) {
        this.proc = requireNonNull(proc, "proc");
    }

    /**
     * Reads what this process and its descendants use.
     *
     * @param processesMax stops counting at one more, unless it is 0
     */
    public Usage of(long pid, int processesMax) {
        int most = processesMax == 0 ? PROCESSES_MAX : processesMax;
        long memory = 0;
        long ticks = 0;
        int processes = 0;
        Deque<String> left = new ArrayDeque<>();
        left.add(Long.toString(pid));
        for (String next = left.poll(); next != null && processes <= most; next = left.poll()) {
            Path process = proc.resolve(next);
            String stat = read(process.resolve("stat"));
            if (!stat.isEmpty()) {
                processes++;
                ticks += ticks(stat);
                memory += memoryBytes(read(process.resolve("status")));
                addChildren(process, left);
            }
        }
        return new Usage(memory, Duration.ofMillis(ticks * TICK_MILLIS), processes);
    }

    private static long ticks(String stat) {
        // The name is in parentheses and may contain spaces.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = FIRST_TIME; i < FIRST_TIME + TIMES && i < fields.length; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks;
    }

    private static long memoryBytes(String status) {
        return kibibytes(status, "\nRssAnon:") + kibibytes(status, "\nRssShmem:");
    }

    private static long kibibytes(String status, String name) {
        int begin = status.indexOf(name);
        int end = status.indexOf(" kB", begin);
        return begin < 0 || end < 0
                ? 0
                : Long.parseLong(status.substring(begin + name.length(), end).strip()) * KIBIBYTE;
    }

    /** Each thread has its own list of children. */
    private void addChildren(Path process, Deque<String> to) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                for (String child : read(thread.resolve("children")).split(" ", -1)) {
                    if (!child.isBlank()) {
                        to.add(child.strip());
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The process has ended meanwhile, and its children are found at their new parent next time.
            return;
        }
    }

    /** Empty if the process has ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
