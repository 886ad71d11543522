package dev.millrace.scheduler.trace.core;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Ids of spans, which follow from what the spans are about. So nothing has to be remembered: any scheduler names the
 * parent of a span, whoever made that parent, and a span that is made twice has the same id.
 */
public final class SpanIds {
    private static final HexFormat HEX = HexFormat.of();
    private static final long JOB = 1;
    private static final long ATTEMPT = 2;
    private static final long QUEUE = 3;
    private static final long KEY = 4;
    /** The golden ratio in 64 bits, as in SplitMix64. */
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private SpanIds() {}

    /** The span of a run. */
    public static String ofRun(RunId run) {
        return ofJob(run.rootJob());
    }

    /** The span of a step that is a job or a record. */
    public static String ofJob(JobId job) {
        return id(job.value(), JOB, 0);
    }

    /** The span of one attempt of a job. */
    public static String ofAttempt(JobId job, int attempt) {
        return id(job.value(), ATTEMPT, attempt);
    }

    /** The span of a job's time in the queue. */
    public static String ofQueue(JobId job) {
        return id(job.value(), QUEUE, 0);
    }

    /** The span of a step that has others below it: a container, or the wait for another run. */
    public static String ofStep(RunId run, String stepKey) {
        long hash = 0;
        for (int i = 0; i < stepKey.length(); i++) {
            hash = mix(hash + GAMMA + stepKey.charAt(i));
        }
        return id(run.value(), KEY, hash);
    }

    private static String id(UUID id, long kind, long number) {
        long mixed = mix(id.getMostSignificantBits() + GAMMA);
        mixed = mix(mixed ^ id.getLeastSignificantBits());
        mixed = mix(mixed + kind * GAMMA);
        mixed = mix(mixed + number);
        // All zeros mean that there is no span.
        return HEX.toHexDigits(mixed == 0 ? 1 : mixed);
    }

    /** The finalizer of SplitMix64, which spreads each bit over all others. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
