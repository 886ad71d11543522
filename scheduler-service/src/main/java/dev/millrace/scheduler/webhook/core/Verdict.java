package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** Whether a call comes from whoever knows the secret of a webhook. */
public sealed interface Verdict {
    /**
     * The call is genuine.
     *
     * @param message what names the message in all deliveries of it; empty if the scheme has no such name
     */
    record Genuine(Optional<String> message) implements Verdict {
        public Genuine {
            requireNonNull(message, "message");
        }
    }

    /**
     * The call is refused.
     *
     * @param sentence why, for the history of the webhook; callers do not see it
     */
    record Refused(String sentence) implements Verdict {
        public Refused {
            requireNonNull(sentence, "sentence");
        }
    }
}
