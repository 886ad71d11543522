package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A wait to put into the queue. It ends as a job does, with {@link FlowEvent.StepEnded}, and holds nothing but its row meanwhile. */
public record StartWait(StepKey key, Until until) implements QueueEntry {
    public StartWait {
        requireNonNull(key, "key");
        requireNonNull(until, "until");
    }

    /** What ends it; every value is worked out. */
    public sealed interface Until {
        /** This much time from now on; ends with the result null. */
        record Passed(Duration time) implements Until {}

        /** The run is resumed; ends with the event of that. */
        record Resumed() implements Until {}

        /** A moment, which may have passed; ends with the result null. */
        record Reached(Instant moment) implements Until {}

        /**
         * The end of a run, which is started with the wait; ends with the output of that run, or as it failed or was canceled.
         *
         * @param flow path of the flow, whose current version is taken
         */
        record RunEnded(String flow, Json input) implements Until {}

        /**
         * Signals or people.
         *
         * @param name of the signal; may be empty for people
         * @param required how many must come
         * @param details as {@link StepAction.WaitFor.Events} describes them; null for none
         */
        record Events(
                StepAction.EventKind kind,
                String name,
                int required,
                Json details,
                Optional<Duration> timeLimit,
                StepAction.WaitEnd onTimeout,
                StepAction.WaitEnd onDenial)
                implements Until {}
    }
}
