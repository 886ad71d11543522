package dev.millrace.worker.internal.limit;

import java.time.Duration;

/**
 * What a process and its descendants use at one moment.
 *
 * @param memoryBytes their own memory, without files that are mapped; pages that forks share count for each of them
 * @param cpu CPU time since their start, including that of ended ones
 * @param processes their number
 */
public record Usage(long memoryBytes, Duration cpu, int processes) {
    /** Nothing, as of a process that has ended. */
    public static final Usage NONE = new Usage(0, Duration.ZERO, 0);
}
