package dev.millrace.scheduler.audit;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * A place in the order in which events were stored. No event comes later before the {@linkplain AuditStore#end end} of what
 * is stored for good.
 *
 * @param transaction that stored the event before this place
 * @param id of the event before this place; the events of one transaction are ordered by their ids
 */
record AuditPosition(long transaction, UUID id) {
    static final AuditPosition START = new AuditPosition(0, AuditFilter.FIRST);

    AuditPosition {
        requireNonNull(id, "id");
    }
}
