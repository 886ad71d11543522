package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.rpc.PageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Reads events. Blocking and thread-safe. */
public final class AuditEvents {
    /**
     * Age of events that an export holds at least. An event has the time at which its call began, and is stored when the
     * call makes its first change: so younger events may still be joined by older ones.
     */
    static final Duration SETTLED_AFTER = Duration.ofMinutes(1);

    private static final int BATCH = 500;

    private final AuditStore store;

    public AuditEvents(Database database) {
        this.store = new AuditStore(database);
    }

    /** A page of events, newest first. */
    PageRequest.Page<AuditEvent> list(AuditFilter filter, PageRequest page) {
        UUID before = page.after().isEmpty() ? AuditFilter.LAST : id(page.after());
        return page.of(
                limit -> store.newest(filter, before, limit),
                event -> event.id().toString());
    }

    /** The time before which no event is missing. */
    Instant settled() {
        return store.ago(SETTLED_AFTER);
    }

    /** The next events after this id that began before this time, oldest first; none at the end. */
    List<AuditEvent> next(AuditFilter filter, UUID after, Instant end) {
        return store.oldest(filter, after, end, BATCH);
    }

    private static UUID id(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
