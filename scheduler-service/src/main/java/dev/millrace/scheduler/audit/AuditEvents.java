package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.rpc.PageRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Reads events. Blocking and thread-safe. */
public final class AuditEvents {
    /**
     * Age of events that an export holds at least. The outcome of a call may still change after its first change was
     * stored.
     */
    static final Duration SETTLED_AFTER = Duration.ofMinutes(1);

    private static final int BATCH = 200;

    private final AuditStore store;
    private final Duration settledAfter;

    public AuditEvents(Database database) {
        this(database, SETTLED_AFTER);
    }

    AuditEvents(Database database, Duration settledAfter) {
        this.store = new AuditStore(database);
        this.settledAfter = settledAfter;
    }

    /** A page of events, newest first. */
    PageRequest.Page<AuditEvent> list(AuditFilter filter, PageRequest page) {
        UUID before = page.after().isEmpty() ? AuditFilter.LAST : id(page.after());
        return page.of(
                limit -> store.newest(filter, before, limit),
                event -> event.id().toString());
    }

    /** The transaction before which no event is missing, and none is young. */
    long settled() {
        return store.end(settledAfter);
    }

    /**
     * Where an export goes on after this event. If retention has dropped the event, the export begins with the kept
     * events whose calls began later.
     */
    Export after(AuditFilter filter, UUID id) {
        return store.positionOf(id)
                .map(position -> new Export(filter, position))
                .orElseGet(() -> new Export(filter.notBefore(AuditEvent.time(id)), AuditPosition.START));
    }

    /** What an export returns next. */
    record Export(AuditFilter filter, AuditPosition position) {}

    /** The next events that were stored before this transaction; none at the end. */
    List<AuditStore.Stored> next(Export export, long end) {
        return store.next(export.filter(), export.position(), end, BATCH);
    }

    private static UUID id(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
