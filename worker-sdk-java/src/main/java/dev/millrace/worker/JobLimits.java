package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What one job of a script may use, together with all processes that it starts. Zero means no limit.
 *
 * @param memoryBytes memory of all its processes, and the data of each of them
 * @param cpu CPU time of all its processes
 * @param processes processes at the same time, including the one that runs the script
 * @param files open files of each process
 * @param outputBytes bytes of its log; the rest is dropped
 * @param resultBytes bytes of its result as JSON
 */
public record JobLimits(long memoryBytes, Duration cpu, int processes, int files, long outputBytes, long resultBytes) {
    /** No limits but those of the scheduler. */
    public static final JobLimits NONE = new JobLimits(0, Duration.ZERO, 0, 0, 0, 0);

    /** No job needs more processes by default; a fork bomb has as many within a few hundred milliseconds. */
    private static final int PROCESSES_DEFAULT = 256;

    /** What workers allow unless they are told otherwise. */
    public static final JobLimits DEFAULTS = NONE.withProcesses(PROCESSES_DEFAULT);

    public JobLimits {
        requireNonNull(cpu, "cpu");
        requireNotNegative("memory", memoryBytes);
        requireNotNegative("cpu", cpu.toMillis());
        requireNotNegative("processes", processes);
        requireNotNegative("files", files);
        requireNotNegative("output", outputBytes);
        requireNotNegative("result", resultBytes);
    }

    private static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }

    public JobLimits withMemoryBytes(long value) {
        return new JobLimits(value, cpu, processes, files, outputBytes, resultBytes);
    }

    public JobLimits withCpu(Duration value) {
        return new JobLimits(memoryBytes, value, processes, files, outputBytes, resultBytes);
    }

    public JobLimits withProcesses(int value) {
        return new JobLimits(memoryBytes, cpu, value, files, outputBytes, resultBytes);
    }

    public JobLimits withFiles(int value) {
        return new JobLimits(memoryBytes, cpu, processes, value, outputBytes, resultBytes);
    }

    public JobLimits withOutputBytes(long value) {
        return new JobLimits(memoryBytes, cpu, processes, files, value, resultBytes);
    }

    public JobLimits withResultBytes(long value) {
        return new JobLimits(memoryBytes, cpu, processes, files, outputBytes, value);
    }

    /** Returns the lower of each two limits. */
    public JobLimits lowest(JobLimits other) {
        return new JobLimits(
                lower(memoryBytes, other.memoryBytes),
                Duration.ofMillis(lower(cpu.toMillis(), other.cpu.toMillis())),
                (int) lower(processes, other.processes),
                (int) lower(files, other.files),
                lower(outputBytes, other.outputBytes),
                lower(resultBytes, other.resultBytes));
    }

    private static long lower(long first, long second) {
        return first == 0 || second == 0 ? first + second : Math.min(first, second);
    }
}
