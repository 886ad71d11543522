package dev.millrace.scheduler.quota;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Meter;
import dev.millrace.scheduler.quota.core.Quotas;
import dev.millrace.scheduler.quota.core.Refusal;
import dev.millrace.scheduler.quota.core.TokenBucket;
import java.time.Duration;
import java.util.Optional;

/** What one workspace uses on this scheduler, and what it has left. Thread-safe: one short lock. */
final class WorkspaceUse {
    /** Time after which it is worth trying again where nobody knows when there is room. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String who;
    private final TokenBucket submits = new TokenBucket();
    private final TokenBucket payloads = new TokenBucket();
    private final TokenBucket logs = new TokenBucket();
    private final Meter submitMeter = new Meter();
    private final Meter payloadMeter = new Meter();
    private final Meter logMeter = new Meter();
    private long queuedJobs;
    private boolean isCounted;
    private long countedNanos;
    private long submittedRuns;
    private long openStreams;
    private long refusedCalls;
    private long droppedLogBytes;

    WorkspaceUse(Workspace workspace) {
        this.who = "Workspace " + workspace;
    }

    /** A moment's use. */
    record Seen(
            double submitsPerSecond,
            long queuedJobs,
            long openStreams,
            double logBytesPerSecond,
            double payloadBytesPerSecond,
            long refusedCalls,
            long droppedLogBytes) {}

    /**
     * Takes what a call needs, or nothing.
     *
     * @param runs number of runs that it submits
     * @param bytes of its payloads
     * @return why it may not have that; empty if it may
     */
    synchronized Optional<Refusal> take(Quotas quotas, long runs, long bytes, long nowNanos) {
        Optional<Refusal> refusal = runs == 0 ? Optional.empty() : refusesRuns(quotas, nowNanos);
        refusal = refusal.or(() -> rate(
                payloads,
                quotas.payloadBytesPerSecondMax(),
                "payload_bytes_per_second_max",
                "bytes of payloads a second",
                nowNanos));
        if (refusal.isPresent()) {
            return refusal;
        }
        if (runs > 0) {
            spend(submits, quotas.submitsPerSecondMax(), runs, nowNanos);
            submitMeter.add(runs, nowNanos);
            queuedJobs += runs;
            submittedRuns += runs;
        }
        spend(payloads, quotas.payloadBytesPerSecondMax(), bytes, nowNanos);
        payloadMeter.add(bytes, nowNanos);
        return Optional.empty();
    }

    private Optional<Refusal> refusesRuns(Quotas quotas, long nowNanos) {
        long max = quotas.queuedJobsMax();
        if (max > 0 && queuedJobs >= max) {
            return Optional.of(new Refusal(who, "queued_jobs_max", max, "jobs that wait or run", RETRY_AFTER));
        }
        return rate(
                submits, quotas.submitsPerSecondMax(), "submits_per_second_max", "submitted runs a second", nowNanos);
    }

    /** Opens a stream, unless there are too many. */
    synchronized Optional<Refusal> openStream(Quotas quotas) {
        long max = quotas.openStreamsMax();
        if (max > 0 && openStreams >= max) {
            return Optional.of(new Refusal(who, "open_streams_max", max, "open streams on a scheduler", RETRY_AFTER));
        }
        openStreams++;
        return Optional.empty();
    }

    /** Counts a call that was refused. A stream that is read more slowly is not. */
    synchronized void refused() {
        refusedCalls++;
    }

    synchronized void closeStream() {
        openStreams--;
    }

    /** Takes bytes of log; false if they are to be dropped. */
    synchronized boolean takeLog(Quotas quotas, long bytes, long nowNanos) {
        long max = quotas.logBytesPerSecondMax();
        if (max > 0 && logs.waitNanos(max, nowNanos) > 0) {
            droppedLogBytes += bytes;
            return false;
        }
        spend(logs, max, bytes, nowNanos);
        logMeter.add(bytes, nowNanos);
        return true;
    }

    /** Number of runs that were submitted here. */
    synchronized long submittedRuns() {
        return submittedRuns;
    }

    /**
     * Notes how many jobs of the workspace the queue holds.
     *
     * @param submittedBefore {@link #submittedRuns} before the count; the count may lack those submitted since
     */
    synchronized void counted(long jobs, long submittedBefore, long nowNanos) {
        queuedJobs = jobs + submittedRuns - submittedBefore;
        isCounted = true;
        countedNanos = nowNanos;
    }

    /** Whether the jobs were counted after this time. */
    synchronized boolean isCountedSince(long nanos) {
        return isCounted && countedNanos - nanos > 0;
    }

    synchronized Seen see(long nowNanos) {
        return new Seen(
                submitMeter.perSecond(nowNanos),
                queuedJobs,
                openStreams,
                logMeter.perSecond(nowNanos),
                payloadMeter.perSecond(nowNanos),
                refusedCalls,
                droppedLogBytes);
    }

    private Optional<Refusal> rate(TokenBucket bucket, long max, String quota, String what, long nowNanos) {
        long wait = max == 0 ? 0 : bucket.waitNanos(max, nowNanos);
        return wait == 0 ? Optional.empty() : Optional.of(new Refusal(who, quota, max, what, Duration.ofNanos(wait)));
    }

    private static void spend(TokenBucket bucket, long max, long amount, long nowNanos) {
        if (max > 0) {
            bucket.take(amount, max, nowNanos);
        }
    }
}
