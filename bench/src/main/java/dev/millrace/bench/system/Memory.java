package dev.millrace.bench.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process as the operating system counts it. */
public final class Memory {
    private static final long KIB = 1024;

    private Memory() {}

    /** Bytes of the process that are in memory now, shared ones included. */
    public static long residentBytes(long pid) {
        return field(pid, "status", "VmRSS:");
    }

    /** Most bytes of the process that were in memory at one time. */
    public static long residentPeakBytes(long pid) {
        return field(pid, "status", "VmHWM:");
    }

    /** Bytes in memory with shared ones divided among those that share them. */
    public static long proportionalBytes(long pid) {
        return field(pid, "smaps_rollup", "Pss:");
    }

    private static long field(long pid, String file, String name) {
        Path path = Path.of("/proc", Long.toString(pid), file);
        try {
            String line = Files.readAllLines(path).stream()
                    .filter(candidate -> candidate.startsWith(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(path + " has no line " + name));
            return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the memory of process " + pid + ".", e);
        }
    }
}
