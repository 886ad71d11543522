package dev.millrace.scheduler.option;

import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.NewRun;

/** Keeps what is asked for with runs beside what their root jobs keep. */
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
