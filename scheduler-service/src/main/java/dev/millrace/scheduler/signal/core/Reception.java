package dev.millrace.scheduler.signal.core;

import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;

/** What becomes of a signal. */
public sealed interface Reception {
    /** Whether the run has the signal. */
    default boolean isAccepted() {
        return switch (this) {
            case Kept _, Counted _, Ended _, Repeated _ -> true;
            case NobodyWaits _, Begun _, WrongKind _, TooMany _ -> false;
        };
    }

    /** Nobody waits for it yet: it is kept for the wait to come. */
    record Kept() implements Reception {}

    /** The wait has it, and waits for more. */
    record Counted(OpenWait waiting) implements Reception {}

    /** The wait has it and ends. */
    record Ended(OpenWait waiting, Outcome outcome) implements Reception {}

    /** It has come before. */
    record Repeated() implements Reception {}

    /** No open wait takes it; {@code open} are the step keys that wait. */
    record NobodyWaits(List<String> open) implements Reception {}

    /** The wait that the signal was to be kept for has begun meanwhile: it can be looked at now, and answered. */
    record Begun() implements Reception {}

    /** The wait takes no signal that says this. */
    record WrongKind(OpenWait waiting) implements Reception {}

    /** The run has as many signals as it may already. */
    record TooMany() implements Reception {}
}
