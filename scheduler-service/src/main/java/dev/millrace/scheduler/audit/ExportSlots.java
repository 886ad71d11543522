package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits how many exports run at a time, because each holds a batch of events until its caller has read it. The admins of
 * one workspace cannot take all slots. Thread-safe.
 */
final class ExportSlots {
    /** Maximum number of exports of one scheduler. */
    static final int EXPORTS_MAX = 16;
    /** Maximum number of exports of one workspace, and of all events. */
    static final int EXPORTS_EACH_MAX = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Map<Optional<Workspace>, Integer> taken = new HashMap<>();
    private int all;

    /** The place of one export, given back once. */
    final class Slot implements AutoCloseable {
        private final Optional<Workspace> owner;
        private boolean isClosed;

        private Slot(Optional<Workspace> owner) {
            this.owner = owner;
        }

        @Override
        public void close() {
            synchronized (ExportSlots.this) {
                if (!isClosed) {
                    isClosed = true;
                    all--;
                    taken.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
                }
            }
        }
    }

    /** @param owner workspace whose events are exported; empty for all events */
    synchronized Slot take(Optional<Workspace> owner) {
        int own = taken.getOrDefault(owner, 0);
        if (own >= EXPORTS_EACH_MAX || all >= EXPORTS_MAX) {
            throw MillraceException.overloaded(
                    own >= EXPORTS_EACH_MAX
                            ? "This scheduler exports these events " + own
                                    + " times already, as often as it does at a time: let an export end first."
                            : "This scheduler serves " + all
                                    + " exports of audit events, as many as it does at a time: try again later.",
                    RETRY_AFTER);
        }
        taken.put(owner, own + 1);
        all++;
        return new Slot(owner);
    }
}
