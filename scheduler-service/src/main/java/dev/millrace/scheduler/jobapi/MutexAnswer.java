package dev.millrace.scheduler.jobapi;

import java.time.Duration;

/** What became of the wish for a mutex. */
sealed interface MutexAnswer {
    /** The wish was in order. */
    sealed interface Given extends MutexAnswer {}

    /** It is held. {@code fence} grows each time the mutex changes hands. */
    record Acquired(long fence) implements Given {}

    /** Another job holds it, for at most this long unless it takes it again. */
    record Busy(Duration left) implements Given {}

    /** The job itself holds it, as often as it may. */
    record TooManyHolds() implements MutexAnswer {}

    /** The lease of the job that asks is no longer held. */
    record LeaseLost() implements MutexAnswer {}
}
