package dev.millrace.scheduler.version;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.Violations;

/**
 * What is kept of a deployment beside its version.
 *
 * @param actor who deploys
 * @param message what the actor says about it; empty for nothing
 */
public record DeploymentNote(String actor, String message) {
    /** Maximum length of a message, in characters. */
    public static final int MESSAGE_LENGTH_MAX = 1_000;

    public DeploymentNote {
        requireNonNull(actor, "actor");
        requireNonNull(message, "message");
    }

    /** Checks the field {@code message} of a request. */
    public static void check(String message, Violations violations) {
        violations.require(
                message.length() <= MESSAGE_LENGTH_MAX,
                "message",
                message.length() + " characters (expected: at most " + MESSAGE_LENGTH_MAX + ")");
        violations.require(message.indexOf('\0') < 0, "message", "contains a NUL character: remove it");
    }
}
