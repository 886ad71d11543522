package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.List;

/**
 * A step that has not begun because it needs other steps that have not ended.
 *
 * @param needs the needed steps that have not ended
 * @param mayBeginEarly whether the step has a condition that lets it begin before those steps have ended
 */
public record NotBegun(StepKey step, List<StepKey> needs, boolean mayBeginEarly) {
    public NotBegun {
        needs = List.copyOf(needs);
    }
}
