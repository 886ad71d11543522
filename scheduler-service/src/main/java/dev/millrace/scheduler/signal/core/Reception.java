package dev.millrace.scheduler.signal.core;

import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;

/** What happened to a signal that a run was sent. */
public sealed interface Reception {
    /** Returns whether the run has the signal. */
    default boolean isAccepted() {
        return switch (this) {
            case Kept _, Counted _, Ended _, Repeated _ -> true;
            case NobodyWaits _, Begun _, WrongKind _, TooMany _ -> false;
        };
    }

    /** No step waits for the signal yet, so it is kept for a later wait. */
    record Kept() implements Reception {}

    /** A wait has received the signal, and needs more. */
    record Counted(OpenWait waiting) implements Reception {}

    /** A wait has received the signal, and ends. */
    record Ended(OpenWait waiting, Outcome outcome) implements Reception {}

    /** The signal was received before. */
    record Repeated() implements Reception {}

    /** No open wait accepts the signal. {@code open} contains the keys of the steps that wait. */
    record NobodyWaits(List<String> open) implements Reception {}

    /**
     * The wait that the signal was to be kept for has begun in the meantime. The caller can validate the answer and
     * send it again.
     */
    record Begun() implements Reception {}

    /** The wait does not accept this kind of signal. */
    record WrongKind(OpenWait waiting) implements Reception {}

    /** The run has reached its limit of signals. */
    record TooMany() implements Reception {}
}
