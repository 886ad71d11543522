package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.Witness;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call in progress that leaves an event. The event commits with the first transaction of the call that changes
 * something: as its last statement, or, for a change that a lane makes, in the flush of the lane.
 */
public final class AuditedCall implements Witness {
    private static final ScopedValue<AuditedCall> PRESENT = ScopedValue.newInstance();

    /** Begins the principal of events whose caller has shown a link: nobody knows more than the name in the link. */
    private static final String LINK = "link:";

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
    public Optional<String> starter() {
        return begun.credential().map(_ -> begun.principal());
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
        return noted.person()
                .map(person -> placed.by(AuditDetail.shortened(LINK + person)))
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
