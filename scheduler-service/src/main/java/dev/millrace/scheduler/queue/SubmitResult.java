package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;

/** The result of a submission. */
public sealed interface SubmitResult {
    /** All runs are durable. */
    record Accepted(List<RunId> runs) implements SubmitResult {
        public Accepted {
            runs = List.copyOf(runs);
        }
    }

    /** The same request was accepted before, with these runs. */
    record Duplicate(List<RunId> runs) implements SubmitResult {
        public Duplicate {
            runs = List.copyOf(runs);
        }
    }

    /** The request id was used before, for a submission with different content. */
    record Conflict() implements SubmitResult {}

    /** A path leads to another version than the submission relies on. No run was accepted. */
    record Outdated() implements SubmitResult {}

    /** The scheduler is overloaded. No run was accepted. */
    record Busy(Duration retryAfter) implements SubmitResult {}
}
