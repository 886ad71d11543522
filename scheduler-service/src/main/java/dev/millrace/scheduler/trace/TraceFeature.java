package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.ArrayList;
import java.util.List;

/** Names the traced runs that end in a flush. Runs that are not traced cost one look at a text. */
public final class TraceFeature implements LaneFeature {
    private final TraceExporter exporter;
    private final List<QueuedJob> endedRoots = new ArrayList<>();

    private TraceFeature(TraceExporter exporter) {
        this.exporter = exporter;
    }

    /** Makes the part of each flush. */
    public static LaneFeature.Maker maker(TraceExporter exporter) {
        return _ -> new TraceFeature(exporter);
    }

    @Override
    public void jobEnds(LeasedJob lease, AttemptResult result, String workerName) {
        if (lease.job().isRoot() && Tracing.isTraced(lease.job())) {
            endedRoots.add(lease.job());
        }
    }

    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (Tracing.isTraced(flow.root())) {
            endedRoots.add(flow.root());
        }
    }

    @Override
    public void written(Effects effects) {
        for (QueuedJob root : endedRoots) {
            exporter.ended(root.run(), root.traceparent());
        }
        if (!endedRoots.isEmpty()) {
            exporter.wake();
        }
    }
}
