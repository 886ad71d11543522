package dev.millrace.bench.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process as counted by the operating system. */
public final class Memory {
    private static final long KIB = 1024;

    private Memory() {}

    /** Resident bytes of the process, including shared ones. */
    public static long residentBytes(long pid) {
        return field(pid, "status", "VmRSS:");
    }

    /** Peak of the resident bytes of the process. */
    public static long residentPeakBytes(long pid) {
        return field(pid, "status", "VmHWM:");
    }

    /** Resident bytes with shared ones divided among the processes that share them. */
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
