package dev.millrace.scheduler.queue.core;

/**
 * Proves that a result comes from the current lease of its job. The token is secret, so its text form hides the value.
 */
public record LeaseToken(long value) {
    @Override
    public String toString() {
        return "LeaseToken[hidden]";
    }
}
