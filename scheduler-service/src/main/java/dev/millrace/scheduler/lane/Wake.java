package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** Command without content: the lane looks for free slots and waiting jobs, as in each flush. */
record Wake() implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.empty();
    }

    @Override
    public void plan(FlushPlan plan) {}

    @Override
    public void fail(Throwable cause) {}
}
