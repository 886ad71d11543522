package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.run.Times;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The iterations of a loop that have live jobs.
 *
 * @param states {@link StepState#RUNNING} if one of its jobs runs, else {@link StepState#QUEUED}, by number
 * @param times times of the first live job, by number
 * @param end one more than the greatest number
 */
record LiveIterations(Map<Integer, StepState> states, Map<Integer, Times> times, int end) {
    static final LiveIterations NONE = new LiveIterations(Map.of(), Map.of(), 0);

    /** Finds them among the live jobs of the run. */
    static LiveIterations of(String loop, Collection<Step> live) {
        Map<Integer, StepState> states = new HashMap<>();
        Map<Integer, Times> times = new HashMap<>();
        int end = 0;
        for (Step step : live) {
            String key = step.key();
            if (key.length() <= loop.length() || key.charAt(loop.length()) != '[' || !key.startsWith(loop)) {
                continue;
            }
            int number = LoopKeys.number(key, loop.length(), key.indexOf(']', loop.length()));
            if (number >= 0) {
                states.merge(number, step.state(), (one, other) -> one == StepState.RUNNING ? one : other);
                times.putIfAbsent(number, step.times());
                end = Math.max(end, number + 1);
            }
        }
        return new LiveIterations(states, times, end);
    }
}
