package dev.millrace.worker.internal.step;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.proto.worker.v1.Lease;
import java.util.UUID;

/**
 * Names a step of a run, the same in all its attempts, on whatever worker. It depends on the run and the step's key and on nothing else.
 *
 * @param token the step as people and programs can read it: {@code RUN_ID/STEP_KEY}
 * @param idempotencyKey the same as a UUID, for services that want a key of limited length
 */
public record StepIdentity(String token, String idempotencyKey) {
    /** The step whose job is leased. */
    public static StepIdentity of(Lease lease) {
        String token = lease.getRunId() + "/" + lease.getStepKey();
        return new StepIdentity(
                token, UUID.nameUUIDFromBytes(token.getBytes(UTF_8)).toString());
    }
}
