package dev.millrace.scheduler.quota;

import dev.millrace.proto.quota.v1.QuotaUse;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.quota.core.Quotas;

/** Reads and writes quotas as messages. */
final class QuotaProtos {
    private QuotaProtos() {}

    static Quotas quotas(dev.millrace.proto.quota.v1.Quotas given) {
        Violations violations = new Violations();
        requireLimit("submits_per_second_max", given.getSubmitsPerSecondMax(), violations);
        requireLimit("queued_jobs_max", given.getQueuedJobsMax(), violations);
        requireLimit("open_streams_max", given.getOpenStreamsMax(), violations);
        requireLimit("log_bytes_per_second_max", given.getLogBytesPerSecondMax(), violations);
        requireLimit("payload_bytes_per_second_max", given.getPayloadBytesPerSecondMax(), violations);
        requireLimit("blob_bytes_max", given.getBlobBytesMax(), violations);
        violations.throwIfAny();
        return new Quotas(
                given.getSubmitsPerSecondMax(),
                given.getQueuedJobsMax(),
                given.getOpenStreamsMax(),
                given.getLogBytesPerSecondMax(),
                given.getPayloadBytesPerSecondMax(),
                given.getBlobBytesMax());
    }

    static dev.millrace.proto.quota.v1.Quotas message(Quotas quotas) {
        return dev.millrace.proto.quota.v1.Quotas.newBuilder()
                .setSubmitsPerSecondMax(quotas.submitsPerSecondMax())
                .setQueuedJobsMax(quotas.queuedJobsMax())
                .setOpenStreamsMax(quotas.openStreamsMax())
                .setLogBytesPerSecondMax(quotas.logBytesPerSecondMax())
                .setPayloadBytesPerSecondMax(quotas.payloadBytesPerSecondMax())
                .setBlobBytesMax(quotas.blobBytesMax())
                .build();
    }

    static QuotaUse message(WorkspaceUse.Seen use, long blobBytes) {
        return QuotaUse.newBuilder()
                .setSubmitsPerSecond(use.submitsPerSecond())
                .setQueuedJobs(use.queuedJobs())
                .setOpenStreams(use.openStreams())
                .setLogBytesPerSecond(use.logBytesPerSecond())
                .setPayloadBytesPerSecond(use.payloadBytesPerSecond())
                .setRefusedCalls(use.refusedCalls())
                .setDroppedLogBytes(use.droppedLogBytes())
                .setBlobBytes(blobBytes)
                .build();
    }

    private static void requireLimit(String field, long value, Violations violations) {
        violations.require(value >= 0, "quotas." + field, value + " (expected: 0 for no limit, or a positive number)");
    }
}
