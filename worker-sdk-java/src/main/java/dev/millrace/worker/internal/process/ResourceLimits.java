package dev.millrace.worker.internal.process;

import dev.millrace.worker.JobLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Limits that the system itself keeps for each process (setrlimit), and that a process passes on to those it starts.
 *
 * @param dataBytes data of a process; 0 for no limit
 * @param files open files of a process; 0 for no limit
 */
record ResourceLimits(long dataBytes, int files) {
    /** The worker's own limit, which its processes must not exceed: the system refuses to raise it. */
    private static final long WORKER_FILES = hardLimit("Max open files");

    private static final long WORKER_DATA = hardLimit("Max data size");

    /** Languages whose programs reserve more data than they use, and would not start. */
    private static final Set<String> RESERVE_DATA = Set.of("deno", "bun");

    static final ResourceLimits NONE = new ResourceLimits(0, 0);

    /** Returns the limits of the script's processes. */
    static ResourceLimits of(Script script) {
        JobLimits limits = script.limits();
        return new ResourceLimits(
                RESERVE_DATA.contains(script.runtime().name()) ? 0 : Math.min(limits.memoryBytes(), WORKER_DATA),
                (int) Math.min(limits.files(), WORKER_FILES));
    }

    /** Options of prlimit(1). */
    List<String> options() {
        List<String> options = new ArrayList<>();
        if (dataBytes > 0) {
            options.add("--data=" + dataBytes + ":" + dataBytes);
        }
        if (files > 0) {
            options.add("--nofile=" + files + ":" + files);
        }
        return options;
    }

    private static long hardLimit(String name) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith(name)) {
                    String hard = line.substring(name.length()).strip().split(" +", -1)[1];
                    return hard.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(hard);
                }
            }
        } catch (IOException e) {
            return Long.MAX_VALUE; // A system without /proc.
        }
        return Long.MAX_VALUE;
    }
}
