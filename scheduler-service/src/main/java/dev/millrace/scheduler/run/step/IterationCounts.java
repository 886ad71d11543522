package dev.millrace.scheduler.run.step;

import java.util.Map;

/**
 * Number of iterations of a loop in each state.
 *
 * @param total number of iterations that the loop will have at most; 0 if that is not known
 * @param isOnlyLive whether only iterations with live jobs are counted, because the run has too many others
 */
public record IterationCounts(int total, Map<StepState, Integer> states, boolean isOnlyLive) {
    public IterationCounts {
        states = Map.copyOf(states);
    }

    int begun() {
        return states.values().stream().mapToInt(Integer::intValue).sum();
    }

    public int of(StepState state) {
        return states.getOrDefault(state, 0);
    }
}
