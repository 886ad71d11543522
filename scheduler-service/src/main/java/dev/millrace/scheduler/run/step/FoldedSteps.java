package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.rpc.PageRequest;
import java.util.Map;

/**
 * A page of steps, which may have fewer entries than were asked for although there are more.
 *
 * @param loops iterations of the loops whose steps were left out, by the keys of the loops
 */
public record FoldedSteps(PageRequest.Page<Step> page, Map<String, IterationCounts> loops) {
    public FoldedSteps {
        loops = Map.copyOf(loops);
    }

    /** Leaves out the steps inside loops. */
    static FoldedSteps of(PageRequest.Page<Step> page, Map<String, IterationCounts> loops) {
        return new FoldedSteps(
                new PageRequest.Page<>(
                        page.items().stream()
                                .filter(step -> !LoopKeys.isInside(step.key(), loops.keySet()))
                                .toList(),
                        page.nextToken()),
                loops);
    }
}
