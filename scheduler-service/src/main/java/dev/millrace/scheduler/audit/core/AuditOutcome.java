package dev.millrace.scheduler.audit.core;

import java.util.Locale;

/** What became of a call. */
public enum AuditOutcome {
    /** The call was allowed, and what it changed is stored. */
    ALLOWED,
    /** The caller may not do this, or is not known. */
    DENIED,
    /** The call was allowed and failed. */
    FAILED,
    /** The call was allowed, and nobody knows yet whether it changed something. */
    UNKNOWN;

    /** The outcome as it is stored. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The outcome that is stored as this text. */
    public static AuditOutcome of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
