package dev.millrace.scheduler.tag.core;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * The pause of a tag.
 *
 * @param tag as callers give it
 * @param actor who paused it
 * @param reason why; empty if the actor did not say
 * @param until when it ends by itself; absent if somebody has to resume the tag
 */
public record TagPause(String tag, String actor, String reason, Instant since, Optional<Instant> until) {
    /** Maximum length of a reason, in characters. */
    public static final int REASON_LENGTH_MAX = 500;

    public TagPause {
        requireNonNull(tag, "tag");
        requireNonNull(actor, "actor");
        requireNonNull(reason, "reason");
        requireNonNull(since, "since");
        requireNonNull(until, "until");
    }

    /** Who paused the tag, when and why, and how to resume it, in full sentences. */
    public String text() {
        return "The tag \"" + tag + "\" has been paused by " + actor + " since " + since
                + until.map(end -> ", until " + end).orElse("")
                + (reason.isEmpty() ? "." : ": " + reason + (reason.endsWith(".") ? "" : "."))
                + " Resume it with `millrace queues resume " + tag + "`.";
    }
}
