package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** Command to reconcile the leases of the connected sessions with the database. The lane does that before it plans. */
record Resync(Runnable done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.empty();
    }

    @Override
    public void plan(FlushPlan plan) {}

    @Override
    public void fail(Throwable cause) {}
}
