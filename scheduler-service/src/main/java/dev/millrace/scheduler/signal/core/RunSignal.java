package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.util.UUID;

/**
 * A signal or an answer for one run.
 *
 * @param id orders the signals of a run: a UUID of version 7
 * @param address the wait that the signal is for
 * @param kind meaning of the signal
 * @param payload any JSON
 * @param who the sender, as stated by the caller; empty if unknown
 * @param requestId idempotency key, unique within the run
 */
public record RunSignal(UUID id, Address address, SignalKind kind, Json payload, String who, String requestId) {
    /** Maximum length of a name or a step key, in characters. */
    public static final int NAME_LENGTH_MAX = 500;
    /** Maximum length of a payload, in characters. */
    public static final int PAYLOAD_LENGTH_MAX = 256 * 1024;

    public RunSignal {
        requireNonNull(id, "id");
        requireNonNull(address, "address");
        requireNonNull(kind, "kind");
        requireNonNull(payload, "payload");
        requireNonNull(who, "who");
        requireNonNull(requestId, "requestId");
    }

    /** The wait of a run that a signal is for. */
    public sealed interface Address {
        /** The oldest wait for a signal with this name; if there is none, the next one that begins. */
        record Name(String name) implements Address {}

        /** The wait of this step, which must be open. */
        record Step(String key) implements Address {}

        /** The wait of this step, which must not have begun. The signal is kept for it. */
        record StepToCome(String key) implements Address {}
    }
}
