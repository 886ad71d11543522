package dev.millrace.scheduler.audit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which refused calls of a stretch of time get an event of their own. All others are counted, so that whoever is
 * refused again and again cannot fill the database. Not thread-safe.
 */
public final class DenialWindow {
    /** Number of refused calls of one caller that get an event each. */
    public static final int EVENTS_PER_CALLER_MAX = 5;
    /** Number of callers that are told apart. The calls of all others are counted together. */
    public static final int CALLERS_MAX = 100;
    /** Length of the stretch of time. */
    public static final Duration LENGTH = Duration.ofMinutes(1);

    private final Map<String, Count> callers = new LinkedHashMap<>();
    private long others;

    /** The calls of one caller: how many, and one of those that have no event of their own. */
    private static final class Count {
        private int recorded;
        private long more;
        private @Nullable AuditEvent last;
    }

    /** Counts a refused call. Returns whether it gets an event of its own. */
    public boolean admits(AuditEvent denied) {
        Count count = callers.get(caller(denied));
        if (count == null) {
            if (callers.size() >= CALLERS_MAX) {
                others++;
                return false;
            }
            count = new Count();
            callers.put(caller(denied), count);
        }
        if (count.recorded < EVENTS_PER_CALLER_MAX) {
            count.recorded++;
            return true;
        }
        count.more++;
        count.last = denied;
        return false;
    }

    /** Whether a call was counted since the last {@link #close}. */
    public boolean isEmpty() {
        return callers.isEmpty() && others == 0;
    }

    /**
     * Ends the stretch of time: returns an event for each caller whose calls were counted, and one for all others. The
     * next call begins a new stretch.
     */
    public List<AuditEvent> close(Supplier<UUID> ids) {
        List<AuditEvent> events = new ArrayList<>();
        for (Count count : callers.values()) {
            if (count.last != null) {
                events.add(count.last.of(ids.get(), count.more));
            }
        }
        if (others > 0) {
            events.add(manyCallers(ids.get(), others));
        }
        callers.clear();
        others = 0;
        return events;
    }

    /** The event of refused calls that are not told apart. */
    public static AuditEvent manyCallers(UUID id, long calls) {
        return new AuditEvent(
                id,
                Optional.empty(),
                "many",
                Optional.empty(),
                "",
                "*",
                "",
                AuditOutcome.DENIED,
                "{\"reason\":\"More callers were refused at a time than are recorded one by one.\"}",
                calls);
    }

    private static String caller(AuditEvent denied) {
        return denied.credential().map(UUID::toString).orElse(denied.address());
    }
}
