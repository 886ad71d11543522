package dev.millrace.worker.internal.jobapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.proto.worker.v1.Lease;
import java.util.UUID;

/**
 * Name of a step of a run, the same in all its attempts and on all workers. It depends only on the run and the step's
 * key.
 *
 * @param token readable name: {@code RUN_ID/STEP}
 * @param idempotencyKey the name as a UUID, for services that limit the length of a key
 */
public record StepIdentity(String token, String idempotencyKey) {
    /** Returns the identity of the step whose job is leased. */
    public static StepIdentity of(Lease lease) {
        String token = lease.getRunId() + "/" + lease.getStep();
        return new StepIdentity(
                token, UUID.nameUUIDFromBytes(token.getBytes(UTF_8)).toString());
    }
}
