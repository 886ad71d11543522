package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.flow.core.WorkerGroups;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides which steps of a run keep to one worker. All that it decides goes with a transition of the flow, so that the flow's version
 * guards what is remembered of groups as it guards the state.
 */
final class GroupPlanner {
    private final Planner planner;
    private final LaneContext context;
    private final AffinityStore store;
    private final Batch batch;

    GroupPlanner(Planner planner, LaneContext context, LaneStore store, Batch batch) {
        this.planner = planner;
        this.context = context;
        this.store = new AffinityStore(store.db());
        this.batch = batch;
    }

    /** How a job that begins belongs to a group; absent where it keeps to no worker. */
    Optional<JobGroup> join(LiveFlow flow, StepKey step, String tag) throws DatabaseLost {
        Optional<String> key = flow.model().workerGroups().groupOf(step);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        Map<String, WorkerGroup> groups = groupsOf(flow);
        WorkerGroup group = groups.get(key.get());
        if (group == null) {
            group = new WorkerGroup(context.ids().nextUuid(), key.get(), step.text(), Optional.empty());
            groups.put(group.key(), group);
            batch.add(
                    BeginGroupsStatement.SECTION,
                    new GroupChange.Begun(flow.root().run(), group));
        }
        return Optional.of(group.member(step.text(), tag));
    }

    /** A job has ended; the first one of a group tells which worker runs the others. */
    void jobEnded(LeasedJob lease, AttemptResult result, String workerName) throws DatabaseLost {
        Optional<UUID> first = lease.job().group().filter(JobGroup::isFirst).map(JobGroup::id);
        boolean ran = result instanceof AttemptResult.Succeeded || result instanceof AttemptResult.Failed;
        if (first.isEmpty() || !ran) {
            return;
        }
        Optional<LiveFlow> flow = planner.findFlow(lease.job().run());
        if (flow.isEmpty()) {
            return;
        }
        Map<String, WorkerGroup> groups = groupsOf(flow.get());
        for (WorkerGroup group : List.copyOf(groups.values())) {
            if (group.id().equals(first.get()) && group.session().isEmpty()) {
                groups.put(group.key(), group.decidedBy(lease.seat().session()));
                batch.add(
                        DecideGroupsStatement.SECTION,
                        new GroupChange.Decided(
                                lease.job().run(), group.id(), lease.seat().session(), workerName));
            }
        }
    }

    /** Groups whose containers ended or began again are over, before anything begins. */
    void endGroups(LiveFlow flow, Decision decision) throws DatabaseLost {
        if (!flow.model().workerGroups().any() || decision.records().isEmpty()) {
            return;
        }
        Map<String, WorkerGroup> groups = groupsOf(flow);
        for (WorkerGroup group : new ArrayList<>(groups.values())) {
            if (decision.records().stream().anyMatch(row -> WorkerGroups.isEndedBy(group.key(), row))) {
                end(flow, groups, group);
            }
        }
    }

    /** Where the first job of a group has gone without telling a worker, another one takes its place. */
    void replaceFirst(LiveFlow flow) throws DatabaseLost {
        WorkerGroups model = flow.model().workerGroups();
        if (!model.any()) {
            return;
        }
        Map<String, WorkerGroup> groups = groupsOf(flow);
        for (WorkerGroup group : new ArrayList<>(groups.values())) {
            if (group.session().isPresent() || flow.isLive(new StepKey(group.firstKey()))) {
                continue;
            }
            Optional<StepKey> next = model.liveJob(group.key(), flow.live());
            if (next.isEmpty()) {
                end(flow, groups, group);
            } else {
                groups.put(group.key(), group.withFirst(next.get().text()));
                batch.add(
                        ReplaceFirstStatement.SECTION,
                        new GroupChange.FirstReplaced(
                                flow.root().run(), group.id(), next.get().text()));
            }
        }
    }

    /** The run is over, and all its groups. */
    void runEnded(LiveFlow flow) {
        if (flow.model().workerGroups().any()) {
            batch.add(
                    EndGroupsStatement.SECTION,
                    new GroupChange.Ended(flow.root().run(), Optional.empty()));
        }
    }

    /** A step waits for a worker that will not come. */
    void fail(FailStep item) throws DatabaseLost {
        FailedStep failed = item.step();
        StepKey key = new StepKey(failed.stepKey());
        RunId run = failed.run();
        if (!batch.endedRuns.containsKey(run)
                && planner.findFlow(run).filter(flow -> flow.isLive(key)).isPresent()) {
            batch.add(FailStepsStatement.SECTION, failed);
            planner.advance(run, new FlowEvent.StepEnded(key, new Outcome.Failed(failed.error())));
            batch.afterCommit.add(() -> context.backlog().close(item.tag()));
        }
        batch.afterCommit.add(() -> item.done().complete(null));
    }

    /** Notes that the job waits for the worker of a group, if it does. */
    QueuedJob noted(QueuedJob job) {
        if (job.group().isPresent()) {
            batch.add(JoinGroupsStatement.SECTION, job);
        }
        return job;
    }

    private void end(LiveFlow flow, Map<String, WorkerGroup> groups, WorkerGroup group) {
        groups.remove(group.key());
        batch.add(EndGroupsStatement.SECTION, new GroupChange.Ended(flow.root().run(), Optional.of(group.id())));
    }

    private Map<String, WorkerGroup> groupsOf(LiveFlow flow) throws DatabaseLost {
        if (!flow.knowsGroups()) {
            flow.knowGroups(store.groupsOf(flow.root().run()));
        }
        return flow.groups();
    }
}
