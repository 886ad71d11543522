package dev.millrace.scheduler.config;

/**
 * Limits of sizes, in bytes.
 *
 * @param payloadBytesMax of one input or result
 * @param scriptBytesMax of one script
 * @param flowBytesMax of one flow definition
 * @param logBytesMax of the whole log of one attempt
 */
public record LimitConfig(int payloadBytesMax, int scriptBytesMax, int flowBytesMax, long logBytesMax) {
    static final int PAYLOAD_BYTES_MAX_DEFAULT = 4 << 20;
    static final int SCRIPT_BYTES_MAX_DEFAULT = 1 << 20;
    static final int FLOW_BYTES_MAX_DEFAULT = 1 << 20;
    static final long LOG_BYTES_MAX_DEFAULT = 16L << 20;

    public LimitConfig {
        Expect.positive("millrace.limit.payload-bytes-max", payloadBytesMax);
        Expect.positive("millrace.limit.script-bytes-max", scriptBytesMax);
        Expect.positive("millrace.limit.flow-bytes-max", flowBytesMax);
        Expect.positive("millrace.limit.log-bytes-max", logBytesMax);
    }
}
