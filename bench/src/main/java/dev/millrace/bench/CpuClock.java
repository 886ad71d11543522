package dev.millrace.bench;

import java.time.Duration;
import java.util.stream.Stream;

/** CPU time of processes as the operating system counts it. */
final class CpuClock {
    private CpuClock() {}

    /** Seconds that this process alone has used. */
    static double secondsOf(long pid) {
        return sum(ProcessHandle.of(pid).stream());
    }

    /** Seconds that the live descendants of this process have used. */
    static double secondsOfDescendants(long pid) {
        return sum(ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants));
    }

    private static double sum(Stream<ProcessHandle> processes) {
        return processes
                .mapToDouble(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9)
                .sum();
    }
}
