package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.util.UUID;

/**
 * Something from outside for one run.
 *
 * @param id orders the signals of a run: a UUID of version 7
 * @param address which wait it is for
 * @param kind what it says
 * @param payload any JSON
 * @param who who sent it, as the sender says; empty where unknown
 * @param requestId the sender's name for it, unique in the run: a repetition changes nothing
 */
public record RunSignal(UUID id, Address address, SignalKind kind, Json payload, String who, String requestId) {
    /** Most characters of a name or an address. */
    public static final int NAME_LENGTH_MAX = 500;
    /** Most characters of a payload. */
    public static final int PAYLOAD_LENGTH_MAX = 256 * 1024;

    public RunSignal {
        requireNonNull(id, "id");
        requireNonNull(address, "address");
        requireNonNull(kind, "kind");
        requireNonNull(payload, "payload");
        requireNonNull(who, "who");
        requireNonNull(requestId, "requestId");
    }

    /** Which wait of the run a signal is for. */
    public sealed interface Address {
        /** The oldest one for a signal of this name; where there is none yet, the next that begins. */
        record Name(String name) implements Address {}

        /** The wait of this step, which must be open. */
        record Step(String key) implements Address {}

        /** The wait of this step, which must not have begun: kept for it. */
        record StepToCome(String key) implements Address {}
    }
}
