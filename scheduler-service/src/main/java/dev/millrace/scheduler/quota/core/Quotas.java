package dev.millrace.scheduler.quota.core;

/**
 * The limits of one workspace. 0 means no limit.
 *
 * @param submitsPerSecondMax submitted runs a second
 * @param queuedJobsMax jobs that wait or run
 * @param openStreamsMax streams that callers keep open
 * @param logBytesPerSecondMax bytes of log a second
 * @param payloadBytesPerSecondMax bytes of inputs, signals and answers a second
 * @param blobBytesMax bytes of all blobs
 */
public record Quotas(
        long submitsPerSecondMax,
        long queuedJobsMax,
        long openStreamsMax,
        long logBytesPerSecondMax,
        long payloadBytesPerSecondMax,
        long blobBytesMax) {
    public static final Quotas NONE = new Quotas(0, 0, 0, 0, 0, 0);

    public Quotas {
        if (submitsPerSecondMax < 0
                || queuedJobsMax < 0
                || openStreamsMax < 0
                || logBytesPerSecondMax < 0
                || payloadBytesPerSecondMax < 0
                || blobBytesMax < 0) {
            throw new IllegalArgumentException("a quota is negative");
        }
    }
}
