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
 * Criteria of a list of runs.
 *
 * @param states at least one
 * @param kind what starts them
 * @param name name of the runs' target; absent for any
 * @param folders folders of the names; absent for any
 * @param createdFrom earliest time of acceptance, inclusive; absent for any
 * @param createdBefore latest time of acceptance, exclusive; absent for any
 * @param tag tag of any job of the run; absent for any
 * @param startedBy who or what started the run, as {@link RunStarterRows} reads it; absent for any
 * @param input conditions that the input must all meet
 * @param output conditions that the output must all meet
 */
public record RunSearch(
        Set<RunState> states,
        KindOfRun kind,
        Optional<String> name,
        Optional<Set<String>> folders,
        Optional<Instant> createdFrom,
        Optional<Instant> createdBefore,
        Optional<String> tag,
        Optional<String> startedBy,
        List<PayloadCondition> input,
        List<PayloadCondition> output) {
    public RunSearch {
        requireNonNull(kind, "kind");
        requireNonNull(name, "name");
        requireNonNull(folders, "folders");
        requireNonNull(createdFrom, "createdFrom");
        requireNonNull(createdBefore, "createdBefore");
        requireNonNull(tag, "tag");
        requireNonNull(startedBy, "startedBy");
        states = Set.copyOf(EnumSet.copyOf(states));
        input = List.copyOf(input);
        output = List.copyOf(output);
    }

    /** All runs in these folders. */
    static RunSearch all(Optional<Set<String>> folders) {
        return inStates(EnumSet.allOf(RunState.class), folders);
    }

    /** All runs in these folders that have not begun. */
    public static RunSearch queued(Optional<Set<String>> folders) {
        return inStates(EnumSet.of(RunState.QUEUED), folders);
    }

    private static RunSearch inStates(Set<RunState> states, Optional<Set<String>> folders) {
        return new RunSearch(
                states,
                KindOfRun.ALL,
                Optional.empty(),
                folders,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** Whether the row of a run does not tell if it matches, so that each run must be examined. */
    boolean examinesRuns() {
        return tag.isPresent() || startedBy.isPresent() || !input.isEmpty() || !output.isEmpty();
    }

    /** Codes of the final states to search for. */
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
