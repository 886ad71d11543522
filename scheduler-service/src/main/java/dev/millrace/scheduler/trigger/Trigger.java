package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.submission.RunTemplate;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A trigger.
 *
 * @param version raised by each change
 * @param flow path of the flow whose file declares it; absent if it was created on its own
 * @param pausedAt absent while it is active
 * @param actor who created or last changed it
 * @param credential the token whose rights it has; absent if the actor had none
 */
public record Trigger(
        TriggerId id,
        TriggerKey key,
        long version,
        TriggerSpec spec,
        Optional<String> flow,
        Optional<Instant> pausedAt,
        String actor,
        Optional<UUID> credential,
        Instant createdAt,
        Instant changedAt) {
    public Trigger {
        requireNonNull(id, "id");
        requireNonNull(key, "key");
        requireNonNull(spec, "spec");
        requireNonNull(flow, "flow");
        requireNonNull(pausedAt, "pausedAt");
        requireNonNull(actor, "actor");
        requireNonNull(credential, "credential");
        requireNonNull(createdAt, "createdAt");
        requireNonNull(changedAt, "changedAt");
    }

    public boolean isPaused() {
        return pausedAt.isPresent();
    }

    /** The trigger as it was in another version. */
    Trigger asIn(long other, RunTemplate run, ByteString settings, String writer, Instant writtenAt) {
        TriggerSpec said = new TriggerSpec(run, settings, spec.description());
        return new Trigger(id, key, other, said, flow, pausedAt, writer, credential, createdAt, writtenAt);
    }
}
