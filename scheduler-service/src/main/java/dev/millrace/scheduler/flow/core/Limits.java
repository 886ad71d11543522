package dev.millrace.scheduler.flow.core;

/**
 * Limits that the operator sets.
 *
 * @param payloadBytesMax most bytes of a resolved input or a gathered result
 */
public record Limits(int payloadBytesMax) {
    /** Where nothing is configured. */
    public static final Limits DEFAULT = new Limits(FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT);

    public Limits {
        if (payloadBytesMax < 1) {
            throw new IllegalArgumentException("payloadBytesMax: " + payloadBytesMax + " (expected: >= 1)");
        }
    }
}
