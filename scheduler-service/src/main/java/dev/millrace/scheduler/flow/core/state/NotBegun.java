package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.List;

/**
 * A step that has not begun, because it needs others that have not ended.
 *
 * @param needs the steps that it needs and that have not ended
 * @param mayBeginEarly whether it begins before they have ended, where its condition for that holds
 */
public record NotBegun(StepKey step, List<StepKey> needs, boolean mayBeginEarly) {
    public NotBegun {
        needs = List.copyOf(needs);
    }
}
