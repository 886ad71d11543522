package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.RunState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Selects runs by kind, flow, state and time.
 *
 * @param flow path of the runs' flow; absent for any target
 * @param states at least one
 * @param createdFrom earliest time of acceptance, inclusive; absent for any
 * @param createdBefore latest time of acceptance, exclusive; absent for any
 */
public record RunFilter(
        KindOfRun kind,
        Optional<String> flow,
        Set<RunState> states,
        Optional<Instant> createdFrom,
        Optional<Instant> createdBefore) {
    public RunFilter {
        requireNonNull(kind, "kind");
        requireNonNull(flow, "flow");
        requireNonNull(createdFrom, "createdFrom");
        requireNonNull(createdBefore, "createdBefore");
        if (states.isEmpty()) {
            throw new IllegalArgumentException("states: none (expected: at least one)");
        }
        states = Set.copyOf(EnumSet.copyOf(states));
    }
}
