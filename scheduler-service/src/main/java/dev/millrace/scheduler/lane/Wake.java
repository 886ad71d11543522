package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** There may be both room and waiting jobs: each flush looks. */
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
