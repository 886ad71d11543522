package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/** Event: somebody follows these runs at another scheduler. */
public record RunsFollowedElsewhere(List<RunId> runs) {
    public RunsFollowedElsewhere {
        runs = List.copyOf(runs);
    }
}
