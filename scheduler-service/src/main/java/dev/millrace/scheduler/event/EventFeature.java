package dev.millrace.scheduler.event;

import dev.millrace.scheduler.eventlog.EventsRecorded;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.lane.Claim;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.EnqueuedJob;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.RequeuedJob;
import dev.millrace.scheduler.operation.OperationFeature;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.signal.BegunWait;
import dev.millrace.scheduler.signal.WaitFeature;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores the events of a flush with it, for workspaces that somebody follows. It reads what the other features have
 * planned, so it is the last one. If nobody follows anything, it does nothing.
 *
 * <p>Each flush works with the workspaces that were known at its beginning; {@link Recording} says why none is missed.
 */
public final class EventFeature implements LaneFeature {
    /** Characters of the title of an approval that its event has. */
    private static final int TITLE_LENGTH_MAX = 200;

    private final FlushPlan plan;
    private final Recording recording;
    private Recording.Workspaces workspaces = Recording.Workspaces.NONE;
    private final List<LiveFlow> accepted = new ArrayList<>(0);
    private final List<LiveFlow> begun = new ArrayList<>(0);
    private boolean recorded;

    /** A feature for the flushes of a scheduler whose lanes connect through {@link LaneRecordingStore}. */
    public static LaneFeature.Maker of(Recording recording) {
        return plan -> new EventFeature(plan, recording);
    }

    private EventFeature(FlushPlan plan, Recording recording) {
        this.plan = plan;
        this.recording = recording;
    }

    @Override
    public void prefetch(List<LaneCommand> commands) throws DatabaseLost {
        workspaces = recording.adopt(plan.store().db());
    }

    @Override
    public void accepted(LiveFlow flow) {
        if (isWanted(flow.root().workspace())) {
            accepted.add(flow);
        }
    }

    @Override
    public void begins(LiveFlow flow) {
        if (isWanted(flow.root().workspace())) {
            begun.add(flow);
        }
    }

    @Override
    public void complete() {
        if (workspaces.isEmpty()) {
            return;
        }
        Set<RunId> known = new HashSet<>();
        for (LiveFlow flow : accepted) {
            if (known.add(flow.root().run())) {
                add("run.accepted", flow.root());
            }
        }
        Set<RunId> waiting = new HashSet<>();
        for (EnqueuedJob job : plan.enqueued()) {
            enqueued(job, known, waiting);
        }
        for (LiveFlow flow : begun) {
            if (!waiting.contains(flow.root().run())) {
                add("run.started", flow.root());
            }
        }
        operations();
        for (RunId run : plan.changedRuns()) {
            Optional<QueuedJob> root = root(run);
            if (root.filter(job -> !isWanted(job.workspace())).isEmpty()) {
                plan.add(
                        RecordEndsStatement.SECTION,
                        new EndedIn(run, root.map(QueuedJob::name).orElse("")));
                recorded = true;
            }
        }
        for (EnqueuedJob job : plan.enqueued()) {
            if (!job.job().isRoot() && areStepsWanted(job.job().workspace())) {
                job.lease()
                        .ifPresentOrElse(
                                lease -> addLeased("step.started", lease), () -> add("step.queued", job.job()));
            }
        }
        for (BegunWait wait : plan.feature(WaitFeature.class).begun()) {
            QueuedJob job = wait.job();
            if (isWanted(job.workspace())) {
                String title = wait.title()
                        .map(text -> ",\"title\":" + JsonValue.ofString(shortened(text)))
                        .orElse("");
                add(
                        wait.isApproval() ? "approval.requested" : "wait.began",
                        job,
                        ",\"for\":" + JsonValue.ofString(job.target()) + title);
            }
        }
        for (RequeuedJob job : plan.requeued()) {
            QueuedJob queued = job.lease().job();
            if (queued.isRoot() && isWanted(queued.workspace())) {
                add("run.requeued", queued);
            } else if (areStepsWanted(queued.workspace())) {
                add("step.requeued", queued);
            }
        }
        for (Claim claim : plan.claims()) {
            plan.add(RecordClaimsStatement.SECTION, claim);
            recorded = true;
        }
    }

    private static String shortened(String title) {
        return title.codePointCount(0, title.length()) <= TITLE_LENGTH_MAX
                ? title
                : title.substring(0, title.offsetByCodePoints(0, TITLE_LENGTH_MAX - 1)) + "…";
    }

    private void enqueued(EnqueuedJob enqueued, Set<RunId> known, Set<RunId> waiting) {
        QueuedJob job = enqueued.job();
        if (!job.isRoot() || !isWanted(job.workspace())) {
            return;
        }
        if (known.add(job.run())) {
            add("run.accepted", job);
        }
        if (enqueued.flowVersion().isEmpty()) {
            waiting.add(job.run());
        }
        enqueued.lease().ifPresent(lease -> addLeased("run.started", lease));
    }

    private void operations() {
        for (OperationFeature.Done done : plan.feature(OperationFeature.class).done()) {
            type(done.kind()).ifPresent(type -> {
                plan.add(
                        RecordRunChangesStatement.SECTION,
                        new RunChange(
                                done.run(),
                                type,
                                new Json("{\"actor\":" + JsonValue.ofString(done.actor()) + ",\"reason\":"
                                        + JsonValue.ofString(done.reason()) + "}")));
                recorded = true;
            });
        }
    }

    /** Events of operations; those without one begin or end a run, which has events of its own. */
    private static Optional<String> type(OperationKind kind) {
        return switch (kind) {
            case PAUSE -> Optional.of("run.paused");
            case RESUME -> Optional.of("run.resumed");
            case RETRY -> Optional.of("run.retried");
            case CANCEL, SKIP, RESTART, RERUN, PIN, UNPIN -> Optional.empty();
        };
    }

    private void add(String type, QueuedJob job) {
        add(type, job, "");
    }

    private void addLeased(String type, LeasedJob lease) {
        add(type, lease.job(), ",\"session_id\":\"" + lease.slot().session() + "\"");
    }

    private void add(String type, QueuedJob job, String more) {
        String name =
                job.isRoot() ? job.name() : root(job.run()).map(QueuedJob::name).orElse("");
        String detail = "{\"job_id\":\"" + job.id() + "\",\"path\":" + JsonValue.ofString(job.name()) + ",\"attempt\":"
                + job.attempt() + more + "}";
        plan.add(
                RecordEventsStatement.SECTION,
                new EventRow(job.workspace(), type, job.run(), name, job.stepKey(), new Json(detail)));
        recorded = true;
    }

    private Optional<QueuedJob> root(RunId run) {
        return plan.flows().live().find(run).map(LiveFlow::root);
    }

    private boolean areStepsWanted(Workspace workspace) {
        return workspaces.steps().contains(workspace);
    }

    private boolean isWanted(Workspace workspace) {
        return workspaces.runs().contains(workspace);
    }

    @Override
    public void written(Effects effects) {
        if (recorded) {
            plan.publish(new EventsRecorded());
        }
    }
}
