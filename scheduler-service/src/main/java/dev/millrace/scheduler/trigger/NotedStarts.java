package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Occurrences that were noted by a transaction, to be passed to {@link TriggerStarts#finish(NotedStarts)} after its commit.
 * Those that were noted before are not among them.
 *
 * @param claimed those whose runs this scheduler is to submit
 * @param unstarted those that start nothing, such as refusals
 */
public record NotedStarts(List<ClaimedStart> claimed, List<Unstarted> unstarted) {
    /** Nothing. */
    public static final NotedStarts NONE = new NotedStarts(List.of(), List.of());

    public NotedStarts {
        claimed = List.copyOf(claimed);
        unstarted = List.copyOf(unstarted);
    }

    /** An occurrence that was noted with its final state. */
    public record Unstarted(TriggerId trigger, StartState state) {
        public Unstarted {
            requireNonNull(trigger, "trigger");
            requireNonNull(state, "state");
        }
    }
}
