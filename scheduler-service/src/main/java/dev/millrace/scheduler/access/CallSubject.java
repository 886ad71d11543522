package dev.millrace.scheduler.access;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What the call in progress turns out to be about, for the audit: where the request does not name it, such as the id of
 * something new.
 */
public final class CallSubject {
    private static final ScopedValue<AtomicReference<String>> PRESENT = ScopedValue.newInstance();

    private CallSubject() {}

    /** Notes what the call in progress is about, before it changes anything. Outside calls, this does nothing. */
    public static void note(String subject) {
        if (PRESENT.isBound()) {
            PRESENT.get().set(subject);
        }
    }

    /** Does the work of a call, whose subject goes into {@code noted}. */
    public static void in(AtomicReference<String> noted, Runnable work) {
        ScopedValue.where(PRESENT, noted).run(work);
    }
}
