package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.flow.core.graph.AffinityRules;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Affinity groups as a feature of the lane: decides which steps of a run share a worker. Each decision belongs to a
 * transition of the flow, so the version of the flow protects the remembered groups as it protects the state.
 */
public final class AffinityFeature implements LaneFeature {
    private final FlushPlan plan;
    private final AffinityStore store;

    public AffinityFeature(FlushPlan plan) {
        this.plan = plan;
        this.store = new AffinityStore(plan.store().db());
    }

    @Override
    public void accepted(LiveFlow flow) {
        if (flow.model().affinity().any()) {
            flow.remember(AffinityGroups.class, AffinityGroups.NONE);
        }
    }

    /**
     * Adds a job that begins to its group, if it has one. Unless it is the first job of the group, it waits for the
     * group's worker.
     */
    @Override
    public QueuedJob placing(LiveFlow flow, StartJob start, QueuedJob job) throws DatabaseLost {
        Optional<JobGroup> group = join(flow, start.key(), job.options().tag());
        if (group.isEmpty()) {
            return job;
        }
        QueuedJob grouped = job.withGroup(group.get());
        plan.add(JoinGroupsStatement.SECTION, grouped);
        return grouped;
    }

    /** Returns how a job that begins belongs to a group; empty if it belongs to none. */
    private Optional<JobGroup> join(LiveFlow flow, StepKey step, String tag) throws DatabaseLost {
        Optional<String> key = flow.model().affinity().groupOf(step);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        AffinityGroups groups = groupsOf(flow);
        AffinityGroup group = groups.find(key.get()).orElseGet(() -> begin(flow, groups, key.get(), step));
        return Optional.of(group.member(step.text(), tag));
    }

    private AffinityGroup begin(LiveFlow flow, AffinityGroups groups, String key, StepKey first) {
        AffinityGroup group = new AffinityGroup(plan.context().ids().nextUuid(), key, first.text(), Optional.empty());
        flow.remember(AffinityGroups.class, groups.with(group));
        plan.add(BeginGroupsStatement.SECTION, new GroupChange.Begun(flow.root().run(), group));
        return group;
    }

    /** When the first job of a group ends, its worker becomes the worker of the group. */
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
        AffinityGroups groups = groupsOf(flow.get());
        for (AffinityGroup group : groups.all()) {
            if (group.id().equals(first.get()) && group.session().isEmpty()) {
                flow.get()
                        .remember(
                                AffinityGroups.class,
                                groups.with(group.decidedBy(lease.slot().session())));
                plan.add(
                        DecideGroupsStatement.SECTION,
                        new GroupChange.Decided(
                                lease.job().run(), group.id(), lease.slot().session(), workerName));
            }
        }
    }

    /** Ends the groups whose containers have ended or begun again, before anything begins. */
    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) throws DatabaseLost {
        if (!flow.model().affinity().any() || decision.records().isEmpty()) {
            return;
        }
        for (AffinityGroup group : groupsOf(flow).all()) {
            if (decision.records().stream().anyMatch(row -> AffinityRules.isEndedBy(group.key(), row.key()))) {
                end(flow, group);
            }
        }
    }

    /**
     * If the first job of a group is gone without having run on a worker, another live job of the group becomes the
     * first.
     */
    @Override
    public void jobsPlaced(LiveFlow flow) throws DatabaseLost {
        AffinityRules model = flow.model().affinity();
        if (!model.any()) {
            return;
        }
        for (AffinityGroup group : groupsOf(flow).all()) {
            if (group.session().isPresent() || flow.isLive(new StepKey(group.firstKey()))) {
                continue;
            }
            Optional<StepKey> next = model.liveJob(group.key(), flow.live());
            if (next.isEmpty()) {
                end(flow, group);
            } else {
                flow.remember(
                        AffinityGroups.class,
                        groupsOf(flow).with(group.withFirst(next.get().text())));
                plan.add(
                        ReplaceFirstStatement.SECTION,
                        new GroupChange.FirstReplaced(
                                flow.root().run(), group.id(), next.get().text()));
            }
        }
    }

    /** Ends all groups of the run. */
    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (flow.model().affinity().any()) {
            plan.add(
                    EndGroupsStatement.SECTION,
                    new GroupChange.Ended(flow.root().run(), null));
        }
    }

    /** Fails a step that waits for a worker that will never be available. */
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

    private void end(LiveFlow flow, AffinityGroup group) throws DatabaseLost {
        flow.remember(AffinityGroups.class, groupsOf(flow).without(group));
        plan.add(EndGroupsStatement.SECTION, new GroupChange.Ended(flow.root().run(), group.id()));
    }

    private AffinityGroups groupsOf(LiveFlow flow) throws DatabaseLost {
        Optional<AffinityGroups> known = flow.recall(AffinityGroups.class);
        if (known.isPresent()) {
            return known.get();
        }
        AffinityGroups stored = AffinityGroups.of(store.groupsOf(flow.root().run()));
        flow.remember(AffinityGroups.class, stored);
        return stored;
    }
}
