package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A wait to enqueue. It ends with {@link FlowEvent.StepEnded}, as a job does, and occupies only its row until then. */
public record StartWait(StepKey key, Until until) implements QueueEntry {
    public StartWait {
        requireNonNull(key, "key");
        requireNonNull(until, "until");
    }

    /** What ends the wait. All values are resolved. */
    public sealed interface Until {
        /** A period has passed, counted from now; the result is null. */
        record Passed(Duration time) implements Until {}

        /** The run is resumed; the result is the event of the resumption. */
        record Resumed() implements Until {}

        /** A moment is reached, which may be in the past; the result is null. */
        record Reached(Instant moment) implements Until {}

        /**
         * A run ends that starts together with the wait. The wait has the outcome of that run.
         *
         * @param flow path of the flow; the run uses its current version
         */
        record RunEnded(String flow, Json input) implements Until {}

        /**
         * Signals arrive, or people answer.
         *
         * @param name of the signal; may be empty for people
         * @param required how many signals or answers are necessary
         * @param details as {@link StepAction.WaitFor.Events} describes them; null for none
         */
        record Events(
                EventKind kind,
                String name,
                int required,
                Json details,
                Optional<Duration> timeLimit,
                WaitEnd onTimeout,
                WaitEnd onDenial)
                implements Until {}
    }
}
