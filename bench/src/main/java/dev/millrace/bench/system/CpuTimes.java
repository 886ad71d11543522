package dev.millrace.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** CPU time of processes as counted by the operating system in {@code /proc}, which includes ended children. */
final class CpuTimes {
    /** Linux reports times to programs in hundredths of a second, whatever it uses inside. */
    private static final double TICKS_PER_SECOND = 100;

    /** Positions of user and system time, counted from the process's state, which follows its name in parentheses. */
    private static final int USER_TIME = 11;

    private static final int CHILDREN_USER_TIME = 13;

    private CpuTimes() {}

    /** Seconds used by this process alone. */
    static double secondsOf(long pid) {
        return seconds(pid, USER_TIME);
    }

    /** Seconds used by the descendants of this process, including ended ones. */
    static double secondsOfDescendants(long pid) {
        return seconds(pid, CHILDREN_USER_TIME)
                + ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::descendants)
                        .mapToLong(ProcessHandle::pid)
                        .mapToDouble(child -> seconds(child, USER_TIME) + seconds(child, CHILDREN_USER_TIME))
                        .sum();
    }

    /** The sum of two adjacent fields; 0 if the process has ended. */
    private static double seconds(long pid, int field) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return Stream.of(fields[field], fields[field + 1])
                            .mapToLong(Long::parseLong)
                            .sum()
                    / TICKS_PER_SECOND;
        } catch (IOException ended) {
            return 0;
        }
    }
}
