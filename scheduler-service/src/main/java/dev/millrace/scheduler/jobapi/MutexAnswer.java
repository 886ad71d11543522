package dev.millrace.scheduler.jobapi;

import java.time.Duration;

/** Result of an attempt to acquire a mutex. */
sealed interface MutexAnswer {
    /** The results of a valid request. */
    sealed interface Given extends MutexAnswer {}

    /** The job holds the mutex. {@code fence} grows each time the mutex changes hands. */
    record Acquired(long fence) implements Given {}

    /** Another job holds the mutex, for {@code left} at most unless it acquires the mutex again. */
    record Busy(Duration left) implements Given {}

    /** The job already has the maximum number of holds on the mutex. */
    record TooManyHolds() implements MutexAnswer {}

    /** The job has lost its lease. */
    record LeaseLost() implements MutexAnswer {}
}
