package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;

/**
 * Who started a run with a token.
 *
 * @param name what is recorded as the starter, for example {@code ada} or {@code service-account:ci}. Nobody's rights
 *     follow from it: some callers name others.
 * @param credential id of the token, whose rights the jobs of the run have. Absent if it was not kept: for runs from
 *     before it was, and for runs that a bulk operation started.
 */
public record RunStarter(String name, Optional<UUID> credential) {
    public RunStarter {
        requireNonNull(name, "name");
        requireNonNull(credential, "credential");
    }
}
