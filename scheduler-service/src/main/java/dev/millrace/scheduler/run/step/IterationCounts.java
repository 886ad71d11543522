package dev.millrace.scheduler.run.step;

import java.util.EnumMap;
import java.util.Map;

/**
 * Number of iterations of a loop in each state.
 *
 * @param total number of iterations that the loop will have at most; 0 if that is not known
 */
public record IterationCounts(int total, Map<StepState, Integer> states) {
    public IterationCounts {
        states = Map.copyOf(states);
    }

    static IterationCounts of(int total, EnumMap<StepState, Integer> states) {
        return new IterationCounts(total, states);
    }

    public int of(StepState state) {
        return states.getOrDefault(state, 0);
    }
}
