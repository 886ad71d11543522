package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** Values that commands of a run waited for are there; the lane takes them before it plans. */
record TakePrepared(RunId ofRun, Preparation preparation) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.empty();
    }

    @Override
    public void plan(FlushPlan plan) {}

    @Override
    public void fail(Throwable cause) {}
}
