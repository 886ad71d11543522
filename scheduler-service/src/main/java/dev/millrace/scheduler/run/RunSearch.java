package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Says which runs of a workspace are to be listed.
 *
 * @param states at least one
 * @param name of what they run; absent for any
 * @param createdFrom accepted then or later; absent for any time
 * @param createdBefore accepted before; absent for any time
 */
record RunSearch(
        Set<RunState> states, Optional<String> name, Optional<Instant> createdFrom, Optional<Instant> createdBefore) {
    RunSearch {
        requireNonNull(name, "name");
        requireNonNull(createdFrom, "createdFrom");
        requireNonNull(createdBefore, "createdBefore");
        states = Set.copyOf(EnumSet.copyOf(states));
    }
}
