package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;

/** What has become of an occurrence. */
public sealed interface StartOutcome {
    /** The run was accepted, now or earlier. */
    record Started(RunId run) implements StartOutcome {
        public Started {
            requireNonNull(run, "run");
        }
    }

    /** There is no run, now and later. */
    record Refused(String reason) implements StartOutcome {
        public Refused {
            requireNonNull(reason, "reason");
        }
    }

    /**
     * The run will be accepted later, because the installation is busy or another scheduler is about to submit it. The
     * occurrence is durable: whoever reported it may forget it.
     */
    record Pending() implements StartOutcome {}
}
