package dev.millrace.scheduler.option;

import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.NewRun;

/** Records the options of submitted runs that their root jobs' rows do not contain. */
public final class RunOptionFeature implements LaneFeature {
    private final FlushPlan plan;

    public RunOptionFeature(FlushPlan plan) {
        this.plan = plan;
    }

    @Override
    public void submitted(NewRun run) {
        if (!run.kept().isEmpty()) {
            plan.add(RecordRunOptionsStatement.SECTION, new RunOption(run.id(), run.kept()));
        }
    }
}
