package dev.millrace.scheduler.access;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * What the call in progress turns out to be about, for the audit: where the request does not name it, such as the id of
 * something new, or the person to whom a link was given.
 *
 * @param subject what the call is about; empty if the request names it
 * @param workspace the workspace; absent if the request names it
 * @param principal in whose name the caller acts: of the link that a call uses, or of the job that calls; absent for
 *     callers who act in their own
 */
public record CallSubject(String subject, Optional<Workspace> workspace, Optional<String> principal) {
    /** Nothing that the request does not name. */
    public static final CallSubject NONE = new CallSubject("", Optional.empty(), Optional.empty());

    /** Begins the principal of calls with a link: nobody knows more than the name in the link. */
    private static final String LINK = "link:";

    private static final ScopedValue<AtomicReference<CallSubject>> PRESENT = ScopedValue.newInstance();

    public CallSubject {
        requireNonNull(subject, "subject");
        requireNonNull(workspace, "workspace");
        requireNonNull(principal, "principal");
    }

    /** Notes what the call in progress is about, before it changes anything. Outside calls, this does nothing. */
    public static void note(String subject) {
        change(noted -> new CallSubject(subject, noted.workspace, noted.principal));
    }

    /** Notes for whom the call in progress uses a link, before it changes anything. Outside calls, this does nothing. */
    public static void noteLink(Workspace workspace, String person) {
        change(noted -> new CallSubject(noted.subject, Optional.of(workspace), Optional.of(LINK + person)));
    }

    /** Whether a principal is whoever uses a link. */
    public static boolean isOfLink(String principal) {
        return principal.startsWith(LINK);
    }

    /** Notes for whom the job acts that makes the call in progress. Outside calls, this does nothing. */
    public static void noteJob(Workspace workspace, String principal) {
        change(noted -> new CallSubject(noted.subject, Optional.of(workspace), Optional.of(principal)));
    }

    private static void change(UnaryOperator<CallSubject> change) {
        if (PRESENT.isBound()) {
            PRESENT.get().updateAndGet(change);
        }
    }

    /** Does the work of a call, whose subject goes into {@code noted}. */
    public static void in(AtomicReference<CallSubject> noted, Runnable work) {
        ScopedValue.where(PRESENT, noted).run(work);
    }
}
