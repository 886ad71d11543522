package dev.millrace.scheduler.explain.core;

import static java.util.Objects.requireNonNull;

/**
 * What a step does or waits for.
 *
 * @param stepKey empty for the only job of a run without a flow
 * @param text in full sentences
 */
public record Reason(String stepKey, Cause cause, String text) {
    public Reason {
        requireNonNull(stepKey, "stepKey");
        requireNonNull(cause, "cause");
        requireNonNull(text, "text");
    }
}
