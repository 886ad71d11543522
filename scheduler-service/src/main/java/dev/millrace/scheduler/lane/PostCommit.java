package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Acts after the commit of a flush, or after its failure. Runs on the lane's driver thread; everything it calls returns
 * at once.
 */
final class PostCommit {
    private final LaneContext context;
    private final LiveFlows flows;

    PostCommit(LaneContext context, LiveFlows flows) {
        this.context = context;
        this.flows = flows;
    }

    /**
     * Delivers leases, answers callers and announces effects, because the plan is durable.
     *
     * @param view opened before the flush
     * @param changesSeen the backlog's count of changes before the flush
     */
    void committed(FlushPlan plan, Leases.View view, long changesSeen) {
        plan.settled().forEach(lease -> {
            context.leases()
                    .end(lease.key())
                    .filter(_ -> !plan.hasFreedSlotOf(lease))
                    .ifPresent(this::releaseSlot);
            context.started().ended(lease.job().id());
        });
        Effects effects = plan.effects();
        // Comes first, because workers wait for deliveries. The rest is done while the jobs begin.
        endLeases(effects);
        deliver(plan, view, effects.ended().jobs());
        List<EndedRun> ended = endedRuns(plan);
        plan.endedRuns().forEach(flows::forget);
        plan.movedFlows().forEach(run -> flows.find(run).ifPresent(LiveFlow::committed));
        plan.movedFlows().forEach(this::forgetIfDormant);
        plan.newFlows().forEach(this::forgetIfDormant);
        noteClaims(plan, changesSeen);
        noteWaiting(plan, effects);
        plan.acks().forEach((listener, acks) -> listener.acknowledge(acks));
        plan.afterCommit().forEach(Runnable::run);
        plan.endedRuns().forEach(context.events()::ended);
        effects.changed().forEach(context.events()::changed);
        tellObserver(plan, ended);
    }

    private record EndedRun(RunId run, Optional<QueuedJob> root, Outcome outcome) {}

    /** The runs that the plan ends, with their root jobs, before their flows are forgotten. */
    private List<EndedRun> endedRuns(FlushPlan plan) {
        List<EndedRun> ended = new ArrayList<>(plan.outcomes().size());
        plan.outcomes()
                .forEach((run, outcome) -> ended.add(new EndedRun(
                        run,
                        flows.find(run)
                                .map(LiveFlow::root)
                                .or(() -> plan.settled(run.rootJob()).map(LeasedJob::job)),
                        outcome)));
        return ended;
    }

    private void tellObserver(FlushPlan plan, List<EndedRun> ended) {
        LaneObserver observer = context.observer();
        for (EnqueuedJob job : plan.rows(EnqueueJobsStatement.SECTION)) {
            observer.enqueued(job.job());
            if (job.lease().isPresent()) {
                observer.leased(job.job(), false);
            }
        }
        for (Delivery claimed : plan.jobs().claimed()) {
            observer.leased(claimed.lease().job(), true);
        }
        for (RequeuedJob job : plan.rows(RequeueJobsStatement.SECTION)) {
            observer.requeued(job.lease().job());
        }
        for (FinishedJob job : plan.rows(FinishJobsStatement.SECTION)) {
            observer.jobEnded(job.lease().job(), job.outcome(), job.runMicros());
        }
        for (EndedRun each : ended) {
            observer.runEnded(each.run(), each.root(), each.outcome());
        }
    }

    /** Undoes what the plan changed ahead of the commit, because nothing of it has happened. */
    void abort(FlushPlan plan) {
        plan.settled().stream()
                .filter(plan::hasFreedSlotOf)
                .forEach(lease -> context.slots().reserve(lease.slot(), 1));
        plan.jobs()
                .deliveries()
                .forEach(delivery -> context.slots().release(delivery.lease().slot(), 1));
        plan.rows(ClaimJobsStatement.SECTION)
                .forEach(claim -> context.slots()
                        .release(claim.capacity().slot(), claim.capacity().room()));
        plan.movedFlows().forEach(flows::forget);
        plan.newFlows().forEach(flows::forget);
    }

    /** Drops a run that only waits from memory. It is folded again when its wait ends. */
    private void forgetIfDormant(RunId run) {
        flows.find(run).filter(LiveFlow::isDormant).ifPresent(_ -> flows.forget(run));
    }

    private void noteClaims(FlushPlan plan, long changesSeen) {
        plan.written(ClaimJobsStatement.SECTION).ifPresent(statement -> {
            for (int i = 0; i < plan.rows(ClaimJobsStatement.SECTION).size(); i++) {
                Claim claim = plan.rows(ClaimJobsStatement.SECTION).get(i);
                List<Delivery> claimed = statement.claimed(i);
                int unused = claim.capacity().room() - claimed.size();
                if (unused > 0) {
                    context.slots().release(claim.capacity().slot(), unused);
                    context.backlog().drained(claim.capacity().tags(), changesSeen);
                } else {
                    context.backlog()
                            .claimedUpTo(
                                    claim.capacity().tags(),
                                    claimed.getLast().lease().job().order(),
                                    changesSeen);
                }
            }
        });
    }

    private void noteWaiting(FlushPlan plan, Effects effects) {
        Set<String> tags = new HashSet<>();
        Set<JobId> claimed = new HashSet<>();
        plan.jobs()
                .claimed()
                .forEach(delivery -> claimed.add(delivery.lease().job().id()));
        for (EnqueuedJob job : plan.rows(EnqueueJobsStatement.SECTION)) {
            if (job.waits()) {
                noteWaiting(job.job(), claimed, tags);
            }
        }
        for (RequeuedJob job : plan.rows(RequeueJobsStatement.SECTION)) {
            if (job.waits()) {
                noteWaiting(job.lease().job(), claimed, tags);
            }
        }
        for (String tag : effects.freedTags()) {
            context.backlog().forget(tag);
            tags.add(tag);
        }
        if (!tags.isEmpty()) {
            context.bus().publish(new JobsWait(tags));
        }
        plan.events().forEach(context.bus()::publish);
    }

    private void noteWaiting(QueuedJob job, Set<JobId> claimed, Set<String> tags) {
        if (!claimed.contains(job.id())) {
            context.backlog().added(job.queueTag(), job.order());
            tags.add(job.queueTag());
        }
    }

    private void endLeases(Effects effects) {
        Map<SessionId, List<Cancellation>> local = new LinkedHashMap<>();
        for (EndedLeases.Held held : effects.ended().heldByWorkers()) {
            context.leases().end(new LeaseKey(held.job(), held.token())).ifPresent(this::releaseSlot);
            context.started().ended(held.job());
            if (context.slots().receiver(held.session()).isPresent()) {
                add(local, held.session(), new Cancellation(held.job(), held.token(), held.reason()));
            } else {
                context.bus().publish(new LeaseEndedElsewhere(held.session(), held.job(), held.reason()));
            }
        }
        context.slots().send(local, (receiver, cancellations) -> receiver.cancel(cancellations));
    }

    private void deliver(FlushPlan plan, Leases.View view, Set<JobId> canceled) {
        List<Delivery> deliveries = plan.jobs().deliveries();
        deliveries.addAll(plan.jobs().claimed());
        Map<SessionId, List<Delivery>> bySession = new LinkedHashMap<>();
        for (Delivery delivery : deliveries) {
            LeasedJob lease = delivery.lease();
            if (canceled.contains(lease.job().id())) {
                releaseSlot(lease);
                continue;
            }
            switch (view.add(lease)) {
                case NEW -> add(bySession, lease.slot().session(), delivery);
                case KNOWN -> {
                    // Since the commit, another lane has reconciled the leases with the database and reserved a slot
                    // for this one. It has sent the lease, unless the worker has connected anew meanwhile.
                    releaseSlot(lease);
                    add(bySession, lease.slot().session(), delivery);
                }
                case ENDED -> releaseSlot(lease);
            }
        }
        context.slots().send(bySession, (receiver, leased) -> receiver.deliver(leased, context.leases()::holds));
    }

    private void releaseSlot(LeasedJob lease) {
        context.slots().release(lease.slot(), 1);
    }

    private static <T> void add(Map<SessionId, List<T>> bySession, SessionId session, T item) {
        bySession.computeIfAbsent(session, _ -> new ArrayList<>()).add(item);
    }
}
