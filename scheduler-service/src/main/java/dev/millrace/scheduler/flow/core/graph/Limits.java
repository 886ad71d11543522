package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;

/**
 * Limits that the operator sets, or the machine.
 *
 * @param payloadBytesMax most bytes of a resolved input or a gathered result
 * @param transitionBytesMax most bytes that one transition of a run may put into the queue and the history
 * @param stateBytesMax most bytes of results and variables that a run in progress may hold, as far as its steps read them
 */
public record Limits(int payloadBytesMax, long transitionBytesMax, long stateBytesMax) {
    /** Shares of the heap: a transition is copied on its way to the database, a state is not. */
    private static final int TRANSITION_HEAP_PART = 12;

    private static final int STATE_HEAP_PART = 6;

    /** Where nothing is configured, and memory is no matter. */
    public static final Limits DEFAULT = new Limits(FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT);

    public Limits {
        if (payloadBytesMax < 1 || transitionBytesMax < payloadBytesMax || stateBytesMax < payloadBytesMax) {
            throw new IllegalArgumentException("payloadBytesMax: " + payloadBytesMax + ", transitionBytesMax: "
                    + transitionBytesMax + ", stateBytesMax: " + stateBytesMax
                    + " (expected: >= 1, and the last two no less than the first)");
        }
    }

    public Limits(int payloadBytesMax) {
        this(payloadBytesMax, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** For a heap of this size: one run must not fill it. */
    public static Limits ofHeap(long heapBytes) {
        int payload = FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT;
        // A step has an input and a result.
        return new Limits(
                payload,
                Math.max(4L * payload, heapBytes / TRANSITION_HEAP_PART),
                Math.max(4L * payload, heapBytes / STATE_HEAP_PART));
    }
}
