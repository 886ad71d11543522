package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** Command that reports a finished preparation to the lane, which accepts it before planning. */
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
