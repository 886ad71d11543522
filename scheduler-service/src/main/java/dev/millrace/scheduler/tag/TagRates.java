package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.lane.LaneObserver;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.tag.core.RateWindow;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures how fast jobs enter and leave the queue of each tag on this scheduler. Thread-safe. */
public final class TagRates implements LaneObserver {
    /** Maximum number of tags that are measured; further ones are not. */
    private static final int TAGS_MAX = 1_000;

    private final LongSupplier nanos;
    private final Map<String, OfTag> byTag = new ConcurrentHashMap<>();

    /** What is measured of a tag. */
    record OfTag(RateWindow enqueued, RateWindow leased, RateWindow ended) {
        OfTag() {
            this(new RateWindow(), new RateWindow(), new RateWindow());
        }
    }

    /** Jobs a second. */
    record Rates(double enqueued, double leased, double ended) {
        static final Rates NONE = new Rates(0, 0, 0);
    }

    public TagRates() {
        this(System::nanoTime);
    }

    TagRates(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The rates of a tag, as callers give it. */
    Rates of(String tag) {
        OfTag known = byTag.get(tag);
        long now = second();
        return known == null
                ? Rates.NONE
                : new Rates(
                        known.enqueued().perSecond(now),
                        known.leased().perSecond(now),
                        known.ended().perSecond(now));
    }

    @Override
    public void enqueued(QueuedJob job) {
        if (job.kind() == JobKind.SCRIPT || job.kind() == JobKind.HANDLER) {
            find(job).ifPresent(tag -> tag.enqueued().add(second()));
        }
    }

    @Override
    public void leased(QueuedJob job, boolean hasWaited) {
        find(job).ifPresent(tag -> tag.leased().add(second()));
    }

    @Override
    public void requeued(QueuedJob job) {
        find(job).ifPresent(tag -> tag.enqueued().add(second()));
    }

    @Override
    public void jobEnded(QueuedJob job, Outcome outcome, long runMicros) {
        find(job).ifPresent(tag -> tag.ended().add(second()));
    }

    private Optional<OfTag> find(QueuedJob job) {
        String tag = JobOptions.callersTag(job.options().tag());
        OfTag known = byTag.get(tag);
        if (known == null && byTag.size() < TAGS_MAX) {
            known = byTag.computeIfAbsent(tag, _ -> new OfTag());
        }
        return Optional.ofNullable(known);
    }

    private long second() {
        return TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong());
    }
}
