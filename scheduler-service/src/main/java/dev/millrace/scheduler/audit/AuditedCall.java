package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.Witness;
import dev.millrace.scheduler.queue.core.RunStarter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call in progress that leaves an event. The event commits with the first transaction of the call that changes
 * something: as its last statement, or, for a change that a lane makes, in the flush of the lane.
 */
public final class AuditedCall implements Witness {
    private static final ScopedValue<AuditedCall> PRESENT = ScopedValue.newInstance();

    private final AuditEvent begun;
    private final AtomicReference<CallSubject> subject = new AtomicReference<>(CallSubject.NONE);
    /** Whether the transaction that is about to commit holds the event. Only the thread of the call uses it. */
    private boolean isWriting;

    private volatile boolean isWritten;

    /** @param begun the event, with the outcome of a call that succeeds */
    AuditedCall(AuditEvent begun) {
        this.begun = begun;
    }

    /** The call that the present thread serves, if it leaves an event. */
    public static Optional<AuditedCall> present() {
        return PRESENT.isBound() ? Optional.of(PRESENT.get()) : Optional.empty();
    }

    /** Who is recorded as the one who started a run; empty for callers without a token. */
    public Optional<RunStarter> starter() {
        return begun.credential().map(token -> new RunStarter(begun.principal(), Optional.of(token)));
    }

    /** Does the work of the call on this thread. */
    void serve(Runnable work) {
        ScopedValue.where(PRESENT, this).run(() -> CallSubject.in(subject, () -> Database.witnessed(this, work)));
    }

    /** The event of the call, once it has succeeded. */
    AuditEvent event() {
        CallSubject noted = subject.get();
        AuditEvent event = noted.subject().isEmpty() ? begun : begun.about(noted.subject());
        AuditEvent placed = noted.workspace().map(event::in).orElse(event);
        return noted.principal()
                .map(principal -> placed.by(AuditDetail.shortened(principal)))
                .orElse(placed);
    }

    /** Whether the event is stored. */
    boolean isWritten() {
        return isWritten;
    }

    @Override
    public void beforeCommit(Statements transaction) {
        isWriting = !isWritten && AuditStore.insertWithChanges(transaction, event());
    }

    @Override
    public void committed() {
        isWritten |= isWriting;
    }

    /** The event has committed outside of the thread of the call. */
    void written() {
        isWritten = true;
    }
}
