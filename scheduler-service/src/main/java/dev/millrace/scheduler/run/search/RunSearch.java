package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.run.RunState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Says which runs of a workspace are to be listed.
 *
 * @param states at least one
 * @param name of what they run; absent for any
 * @param createdFrom accepted then or later; absent for any time
 * @param createdBefore accepted before; absent for any time
 * @param input what the input must hold, all of it
 * @param output what the output must hold, all of it
 */
public record RunSearch(
        Set<RunState> states,
        Optional<String> name,
        Optional<Instant> createdFrom,
        Optional<Instant> createdBefore,
        List<PayloadCondition> input,
        List<PayloadCondition> output) {
    public RunSearch {
        requireNonNull(name, "name");
        requireNonNull(createdFrom, "createdFrom");
        requireNonNull(createdBefore, "createdBefore");
        states = Set.copyOf(EnumSet.copyOf(states));
        input = List.copyOf(input);
        output = List.copyOf(output);
    }

    boolean looksIntoPayloads() {
        return !input.isEmpty() || !output.isEmpty();
    }

    /** Codes of the ends that are looked for. */
    List<Short> ends() {
        return Stream.of(EndStatus.values())
                .filter(status -> states.contains(RunState.ended(status)))
                .map(EndStatus::code)
                .toList();
    }

    boolean findsLiveRuns() {
        return states.contains(RunState.QUEUED) || states.contains(RunState.RUNNING);
    }
}
