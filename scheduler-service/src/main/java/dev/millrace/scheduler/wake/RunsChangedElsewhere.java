package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/** Event: another scheduler has changed these runs, which somebody may follow here. */
public record RunsChangedElsewhere(List<RunId> runs) {
    public RunsChangedElsewhere {
        runs = List.copyOf(runs);
    }
}
