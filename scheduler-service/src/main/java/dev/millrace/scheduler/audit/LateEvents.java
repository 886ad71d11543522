package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.audit.core.DenialWindow;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that are written after their calls: those of refused calls, and those of calls whose end nobody knows. Whoever
 * adds one never waits. Memory and rows are limited, and what is left out is counted. Thread-safe.
 */
final class LateEvents implements AutoCloseable {
    /** Maximum number of events that wait, for example while the database does not answer. */
    static final int WAITING_MAX = 1_000;

    private static final Duration NOTHING_DUE = Duration.ofHours(1);
    private static final Logger log = LoggerFactory.getLogger(LateEvents.class);

    private final AuditStore store;
    private final IdSource ids;
    private final InstantSource clock;
    private final Loop loop = Loop.of("late-audit-events", this::runOnce);

    private final DenialWindow window = new DenialWindow();
    private Instant windowEnd = Instant.MIN;
    private List<AuditEvent> waiting = new ArrayList<>();
    private long dropped;

    LateEvents(AuditStore store, IdSource ids, InstantSource clock) {
        this.store = store;
        this.ids = ids;
        this.clock = clock;
    }

    LateEvents start() {
        loop.start();
        return this;
    }

    /** Adds a refused call, or counts it if there are too many. */
    synchronized void denied(AuditEvent event) {
        if (window.isEmpty()) {
            windowEnd = clock.instant().plus(DenialWindow.LENGTH);
            loop.wake();
        }
        if (window.admits(event)) {
            late(event);
        }
    }

    /** Adds an event, or counts it if too many wait. */
    synchronized void late(AuditEvent event) {
        if (waiting.size() >= WAITING_MAX) {
            dropped++;
        } else {
            waiting.add(event);
            loop.wake();
        }
    }

    /** Writes what waits. Returns the time until the counted calls are due. */
    Duration runOnce() {
        write(take(false));
        return untilDue();
    }

    /** Writes what waits and what was counted, and stops. */
    @Override
    public void close() {
        loop.close();
        try {
            write(take(true));
        } catch (RuntimeException failure) {
            log.atWarn().setCause(failure).log("The last audit events could not be written");
        }
    }

    private void write(List<AuditEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        try {
            store.insert(events);
        } catch (MillraceException failure) {
            if (failure.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                events.forEach(this::late);
                throw failure;
            }
            // One event that cannot be stored must not hold up the others.
            events.forEach(this::writeOrDrop);
        }
    }

    private void writeOrDrop(AuditEvent event) {
        try {
            store.insert(event);
        } catch (MillraceException failure) {
            log.atWarn().addKeyValue("event", event.id()).setCause(failure).log("An audit event could not be stored");
        }
    }

    private synchronized List<AuditEvent> take(boolean isLast) {
        List<AuditEvent> taken = waiting;
        waiting = new ArrayList<>();
        if (!window.isEmpty() && (isLast || !clock.instant().isBefore(windowEnd))) {
            taken.addAll(window.close(ids::nextUuid));
        }
        if (dropped > 0) {
            log.atWarn().addKeyValue("events", dropped).log("Audit events were dropped, because too many waited");
            taken.add(DenialWindow.manyCallers(ids.nextUuid(), dropped));
            dropped = 0;
        }
        return taken;
    }

    private synchronized Duration untilDue() {
        return window.isEmpty() ? NOTHING_DUE : Duration.between(clock.instant(), windowEnd);
    }
}
