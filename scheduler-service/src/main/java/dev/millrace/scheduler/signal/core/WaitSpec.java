package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.StepAction.EventKind;
import dev.millrace.scheduler.flow.core.StepAction.WaitEnd;
import dev.millrace.scheduler.queue.core.Json;

/**
 * What a wait for events waits for; its row keeps it as its input.
 *
 * @param name of the signal; may be empty for people
 * @param required how many must come
 * @param details for people: title, description, form, assignees; null for none
 */
public record WaitSpec(EventKind kind, String name, int required, Json details, WaitEnd onTimeout, WaitEnd onDenial) {
    public WaitSpec {
        requireNonNull(kind, "kind");
        requireNonNull(name, "name");
        requireNonNull(details, "details");
        requireNonNull(onTimeout, "onTimeout");
        requireNonNull(onDenial, "onDenial");
        if (required < 1) {
            throw new IllegalArgumentException("required: " + required + " (expected: at least 1)");
        }
    }

    /** Whether a signal that says this can end the wait. */
    public boolean takes(SignalKind signal) {
        return switch (signal) {
            case RESUME -> kind != EventKind.HUMAN;
            case DENY -> kind != EventKind.SIGNAL;
            case COMPLETE -> kind == EventKind.HUMAN;
        };
    }
}
