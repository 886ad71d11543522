package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.StartJob;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.flow.core.WorkerGroups;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides which steps of a run keep to one worker. All that it decides goes with a transition of the flow, so that the flow's version
 * guards what is remembered of groups as it guards the state.
 */
final class AffinityFeature implements LaneFeature {
    private final FlushPlan plan;
    private final AffinityStore store;

    AffinityFeature(FlushPlan plan) {
        this.plan = plan;
        this.store = new AffinityStore(plan.store().db());
    }

    @Override
    public void accepted(LiveFlow flow) {
        flow.knowGroups(List.of());
    }

    /** Notes that a job which begins waits for the worker of its group, if it has one. */
    @Override
    public QueuedJob placing(LiveFlow flow, StartJob start, QueuedJob job) throws DatabaseLost {
        Optional<JobGroup> group = join(flow, start.key(), start.options().tag());
        if (group.isEmpty()) {
            return job;
        }
        QueuedJob grouped = job.withGroup(group.get());
        plan.add(JoinGroupsStatement.SECTION, grouped);
        return grouped;
    }

    /** How a job that begins belongs to a group; absent where it keeps to no worker. */
    private Optional<JobGroup> join(LiveFlow flow, StepKey step, String tag) throws DatabaseLost {
        Optional<String> key = flow.model().workerGroups().groupOf(step);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        Map<String, WorkerGroup> groups = groupsOf(flow);
        WorkerGroup group = groups.get(key.get());
        if (group == null) {
            group = new WorkerGroup(plan.context().ids().nextUuid(), key.get(), step.text(), Optional.empty());
            groups.put(group.key(), group);
            plan.add(
                    BeginGroupsStatement.SECTION,
                    new GroupChange.Begun(flow.root().run(), group));
        }
        return Optional.of(group.member(step.text(), tag));
    }

    /** A job has ended; the first one of a group tells which worker runs the others. */
    @Override
    public void jobEnds(LeasedJob lease, AttemptResult result, String workerName) throws DatabaseLost {
        Optional<UUID> first = lease.job().group().filter(JobGroup::isFirst).map(JobGroup::id);
        boolean ran = result instanceof AttemptResult.Succeeded || result instanceof AttemptResult.Failed;
        if (first.isEmpty() || !ran) {
            return;
        }
        Optional<LiveFlow> flow = plan.flows().findFlow(lease.job().run());
        if (flow.isEmpty()) {
            return;
        }
        Map<String, WorkerGroup> groups = groupsOf(flow.get());
        for (WorkerGroup group : List.copyOf(groups.values())) {
            if (group.id().equals(first.get()) && group.session().isEmpty()) {
                groups.put(group.key(), group.decidedBy(lease.seat().session()));
                plan.add(
                        DecideGroupsStatement.SECTION,
                        new GroupChange.Decided(
                                lease.job().run(), group.id(), lease.seat().session(), workerName));
            }
        }
    }

    /** Groups whose containers ended or began again are over, before anything begins. */
    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) throws DatabaseLost {
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
    @Override
    public void jobsPlaced(LiveFlow flow) throws DatabaseLost {
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
                plan.add(
                        ReplaceFirstStatement.SECTION,
                        new GroupChange.FirstReplaced(
                                flow.root().run(), group.id(), next.get().text()));
            }
        }
    }

    /** The run is over, and all its groups. */
    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (flow.model().workerGroups().any()) {
            plan.add(
                    EndGroupsStatement.SECTION,
                    new GroupChange.Ended(flow.root().run(), Optional.empty()));
        }
    }

    /** A step waits for a worker that will not come. */
    void fail(FailStep item) throws DatabaseLost {
        FailedStep failed = item.step();
        StepKey key = new StepKey(failed.stepKey());
        RunId run = failed.run();
        if (!plan.ends(run)
                && plan.flows().findFlow(run).filter(flow -> flow.isLive(key)).isPresent()) {
            plan.add(FailStepsStatement.SECTION, failed);
            plan.advance(run, new FlowEvent.StepEnded(key, new Outcome.Failed(failed.error())));
            plan.afterCommit(() -> plan.context().backlog().close(item.tag()));
        }
        plan.afterCommit(() -> item.done().complete(null));
    }

    @Override
    public boolean freesJobs() {
        return !plan.rows(DecideGroupsStatement.SECTION).isEmpty()
                || !plan.rows(ReplaceFirstStatement.SECTION).isEmpty();
    }

    @Override
    public void written(Effects effects) {
        plan.written(DecideGroupsStatement.SECTION).ifPresent(statement -> effects.freeTags(statement.claimable()));
        plan.written(ReplaceFirstStatement.SECTION).ifPresent(statement -> effects.freeTags(statement.claimable()));
        plan.written(EndGroupsStatement.SECTION)
                .ifPresent(statement -> plan.context().slots().send(statement.folders(), LeaseReceiver::endFolders));
    }

    private void end(LiveFlow flow, Map<String, WorkerGroup> groups, WorkerGroup group) {
        groups.remove(group.key());
        plan.add(EndGroupsStatement.SECTION, new GroupChange.Ended(flow.root().run(), Optional.of(group.id())));
    }

    private Map<String, WorkerGroup> groupsOf(LiveFlow flow) throws DatabaseLost {
        if (!flow.knowsGroups()) {
            flow.knowGroups(store.groupsOf(flow.root().run()));
        }
        return flow.groups();
    }
}
