package dev.millrace.flowtest;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * A signal, or the answer of a person, that a test sends.
 *
 * @param at virtual time since the run began; absent for as soon as a step waits for it and nothing else is left to do
 * @param target what it is for
 * @param denies whether a person denies
 * @param by name of the person; empty for none
 */
public record SentSignal(Optional<Duration> at, Target target, Json payload, boolean denies, String by) {
    public SentSignal {
        requireNonNull(at, "at");
        requireNonNull(target, "target");
        requireNonNull(payload, "payload");
        requireNonNull(by, "by");
    }

    /** What a signal is for. */
    public sealed interface Target {
        /** The oldest wait for a signal with this name, or the next one. */
        record Name(String name) implements Target {}

        /** The wait of this step, for people or for a signal. */
        record Step(String key) implements Target {}
    }

    /** Says what it is, for messages. */
    public String phrase() {
        return switch (target) {
            case Target.Name(String name) -> "the signal \"" + name + "\"";
            case Target.Step(String key) -> "the answer for step \"" + key + "\"";
        };
    }
}
