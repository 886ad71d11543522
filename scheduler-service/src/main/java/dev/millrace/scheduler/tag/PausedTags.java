package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.tag.core.TagPause;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.PausesChanged;
import dev.millrace.scheduler.wake.PausesChangedElsewhere;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The pauses of tags that are in force, in memory, and whoever changes them.
 *
 * <p>A pause is a row, so it outlives every scheduler. A scheduler reads the rows before it leases anything, when it or
 * another scheduler has changed them, when one ends, and every {@link #HEALING_INTERVAL} in case a notification got lost:
 * that is the longest time for which a scheduler that reaches its database leases jobs of a tag that is paused.
 * Thread-safe.
 */
public final class PausedTags implements AutoCloseable {
    /** How often the pauses are read without a reason. */
    static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /** Maximum number of tags that are paused at a time. */
    static final int TAGS_MAX = 1_000;
    /** Longest time for which a pause may be asked. */
    static final Duration LENGTH_MAX = Duration.ofDays(366);

    /** Shortest pause of the loop, in case the clocks disagree on whether a pause has ended. */
    private static final Duration INTERVAL_MIN = Duration.ofMillis(20);

    private final PauseStore store;
    private final EventBus bus;
    private final Consumer<Set<String>> apply;
    private final Loop loop;
    private volatile Map<String, TagPause> inForce = Map.of();

    private PausedTags(Database database, EventBus bus, Consumer<Set<String>> apply) {
        this.store = new PauseStore(database);
        this.bus = bus;
        this.apply = apply;
        this.loop = Loop.of("paused-tags", this::read);
    }

    /**
     * Reads the pauses, and goes on to do so. Fails if the database does not answer.
     *
     * @param apply called with the paused tags whenever they change; from when it returns, nothing more is leased of them
     */
    public static PausedTags start(Database database, EventBus bus, Consumer<Set<String>> apply) {
        PausedTags tags = new PausedTags(database, bus, apply);
        tags.read();
        bus.subscribe(PausesChangedElsewhere.class, _ -> tags.loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> tags.loop.wake());
        tags.loop.start();
        return tags;
    }

    /** The pauses in force, by tag. */
    Map<String, TagPause> inForce() {
        return inForce;
    }

    /**
     * Pauses a tag, or changes who paused it, why and how long.
     *
     * @param length how long; absent until somebody resumes the tag
     */
    TagPause pause(String tag, String actor, String reason, Optional<Duration> length) {
        TagPause pause = store.pause(tag, actor, reason, length, TAGS_MAX)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.TOO_MANY,
                        TAGS_MAX + " tags are paused, and no more can be: resume some of them, or stop the workers."));
        changed();
        return pause;
    }

    /** Resumes a tag. Returns its pause; empty if it was not paused. */
    Optional<TagPause> resume(String tag) {
        Optional<TagPause> pause = store.resume(tag);
        changed();
        return pause;
    }

    private void changed() {
        var _ = read();
        bus.publish(new PausesChanged());
        // The loop may now sleep beyond the end of the new pause.
        loop.wake();
    }

    /** Reads the pauses and applies them. Returns the time until they are to be read again. */
    private synchronized Duration read() {
        PauseStore.InForce read = store.inForce(TAGS_MAX);
        Map<String, TagPause> before = inForce;
        Map<String, TagPause> now =
                read.pauses().stream().collect(Collectors.toUnmodifiableMap(TagPause::tag, Function.identity()));
        inForce = now;
        if (!now.keySet().equals(before.keySet())) {
            apply.accept(now.keySet());
            if (!now.keySet().containsAll(before.keySet())) {
                bus.publish(new TagsResumed());
            }
        }
        return read.nextEnd()
                .filter(end -> end.compareTo(HEALING_INTERVAL) < 0)
                .map(end -> end.compareTo(INTERVAL_MIN) < 0 ? INTERVAL_MIN : end)
                .orElse(HEALING_INTERVAL);
    }

    @Override
    public void close() {
        loop.close();
    }
}
