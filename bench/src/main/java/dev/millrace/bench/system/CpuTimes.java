package dev.millrace.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** CPU time of processes as the operating system counts it in {@code /proc}, where ended children stay counted. */
final class CpuTimes {
    /** Linux counts in hundredths of a second for programs, whatever it does inside. */
    private static final double TICKS_PER_SECOND = 100;

    /** Positions of user and system time, counted from the process's state, which follows its name in brackets. */
    private static final int USER_TIME = 11;

    private static final int CHILDREN_USER_TIME = 13;

    private CpuTimes() {}

    /** Seconds that this process alone has used. */
    static double secondsOf(long pid) {
        return seconds(pid, USER_TIME);
    }

    /** Seconds that the descendants of this process have used, those that have ended included. */
    static double secondsOfDescendants(long pid) {
        return seconds(pid, CHILDREN_USER_TIME)
                + ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::descendants)
                        .mapToLong(ProcessHandle::pid)
                        .mapToDouble(child -> seconds(child, USER_TIME) + seconds(child, CHILDREN_USER_TIME))
                        .sum();
    }

    /** The sum of two fields that follow each other; 0 where the process has ended. */
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
