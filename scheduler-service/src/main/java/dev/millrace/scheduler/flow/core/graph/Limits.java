package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;

/**
 * Size limits that the operator or the memory of the machine sets.
 *
 * @param payloadBytesMax maximum size of a resolved input or a gathered result, in bytes
 * @param transitionBytesMax maximum number of bytes that one transition of a run may add to the queue and the history
 * @param stateBytesMax maximum number of bytes of results and variables that a run in progress may hold for its steps
 */
public record Limits(int payloadBytesMax, long transitionBytesMax, long stateBytesMax) {
    /** Shares of the heap: a transition is copied on its way to the database, a state is not. */
    private static final int TRANSITION_HEAP_PART = 12;

    private static final int STATE_HEAP_PART = 6;

    /** Default payload limit, without limits that depend on memory. */
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

    /** Derives limits from the size of the heap, so that no single run can fill it. */
    public static Limits ofHeap(long heapBytes) {
        int payload = FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT;
        // A step has an input and a result, so a transition must have room for several payloads.
        return new Limits(
                payload,
                Math.max(4L * payload, heapBytes / TRANSITION_HEAP_PART),
                Math.max(4L * payload, heapBytes / STATE_HEAP_PART));
    }
}
