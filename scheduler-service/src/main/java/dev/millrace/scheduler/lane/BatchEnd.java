package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** What follows the commit of a batch, or its failure. Runs on the thread that drives the lane; everything it calls returns at once. */
final class BatchEnd {
    private final LaneContext context;
    private final LiveFlows flows;

    BatchEnd(LaneContext context, LiveFlows flows) {
        this.context = context;
        this.flows = flows;
    }

    /** The batch is durable: hands out leases, answers, and tells whoever listens. {@code changesSeen} is the backlog's count before. */
    void committed(Batch batch, long changesSeen) {
        batch.settled().forEach(lease -> {
            context.leases().remove(lease);
            context.started().ended(lease.job().id());
        });
        // Workers wait for what is delivered; all the rest is done while they are about to begin.
        Set<JobId> canceled = endLeases(batch);
        deliver(batch, canceled);
        batch.endedRuns.keySet().forEach(flows::forget);
        batch.movedFlows().forEach(this::noteCommitted);
        batch.rows(BeginWaitsStatement.SECTION)
                .forEach(wait -> flows.find(wait.job().run()).ifPresent(this::forgetIfDormant));
        noteClaims(batch, changesSeen);
        noteWaiting(batch);
        send(batch.endedFolders(), LeaseReceiver::endFolders);
        batch.acks.forEach((listener, acks) -> listener.acknowledge(acks));
        batch.afterCommit.forEach(Runnable::run);
        tellFollowers(batch);
    }

    /** Nothing of the batch has happened: takes back what the planner did ahead of the commit. */
    void abort(Batch batch) {
        batch.settled().forEach(lease -> context.slots().reserve(lease.seat(), 1));
        batch.deliveries()
                .forEach(delivery -> context.slots().release(delivery.lease().seat(), 1));
        batch.rows(ClaimJobsStatement.SECTION)
                .forEach(claim -> context.slots()
                        .release(claim.vacancy().seat(), claim.vacancy().room()));
        batch.movedFlows().forEach(flows::forget);
        batch.rows(EnqueueJobsStatement.SECTION)
                .forEach(job -> flows.forget(job.job().run()));
        batch.rows(BeginWaitsStatement.SECTION)
                .forEach(wait -> flows.forget(wait.job().run()));
    }

    private void noteCommitted(RunId run) {
        Optional<LiveFlow> found = flows.find(run);
        if (found.isPresent()) {
            found.get().committed();
            forgetIfDormant(found.get());
        }
    }

    /** A run that only waits costs no memory: it is folded anew when its wait ends. */
    private void forgetIfDormant(LiveFlow flow) {
        if (flow.isDormant()) {
            flows.forget(flow.root().run());
        }
    }

    private void noteClaims(Batch batch, long changesSeen) {
        batch.written(ClaimJobsStatement.SECTION).ifPresent(statement -> {
            for (int i = 0; i < batch.rows(ClaimJobsStatement.SECTION).size(); i++) {
                Claim claim = batch.rows(ClaimJobsStatement.SECTION).get(i);
                List<Delivery> claimed = statement.claimed(i);
                int unused = claim.vacancy().room() - claimed.size();
                if (unused > 0) {
                    context.slots().release(claim.vacancy().seat(), unused);
                    context.backlog().drained(claim.vacancy().tags(), changesSeen);
                } else {
                    context.backlog()
                            .claimedUpTo(
                                    claim.vacancy().tags(),
                                    claimed.getLast().lease().job().order(),
                                    changesSeen);
                }
            }
        });
    }

    private void noteWaiting(Batch batch) {
        Set<String> tags = new HashSet<>();
        Set<JobId> claimed = new HashSet<>();
        batch.written(ClaimJobsStatement.SECTION).ifPresent(statement -> {
            for (int i = 0; i < batch.rows(ClaimJobsStatement.SECTION).size(); i++) {
                statement
                        .claimed(i)
                        .forEach(delivery -> claimed.add(delivery.lease().job().id()));
            }
        });
        for (EnqueuedJob job : batch.rows(EnqueueJobsStatement.SECTION)) {
            job.delay().ifPresent(delay -> context.signals().jobDelayed(delay));
            if (job.waits() && !claimed.contains(job.job().id())) {
                context.backlog().added(job.job().queueTag(), job.job().order());
                tags.add(job.job().queueTag());
            }
        }
        if (batch.rows(BeginWaitsStatement.SECTION).stream().anyMatch(BegunWait::isTimed)) {
            context.signals().waitBegan();
        }
        for (RequeuedJob job : batch.rows(RequeueJobsStatement.SECTION)) {
            if (job.isDelayed()) {
                context.signals().jobDelayed(job.requeue().delay());
            } else if (job.waits() && !claimed.contains(job.lease().job().id())) {
                context.backlog()
                        .added(job.lease().job().queueTag(), job.lease().job().order());
                tags.add(job.lease().job().queueTag());
            }
        }
        Set<String> limitTags = batch.limitTags();
        for (String tag : batch.freedTags()) {
            if (JobLimit.isTag(tag)) {
                limitTags.add(tag);
            } else {
                context.backlog().forget(tag);
                tags.add(tag);
            }
        }
        if (!limitTags.isEmpty()) {
            context.signals().limitsChanged(limitTags);
        }
        batch.timeLimits().forEach(context.signals()::jobDelayed);
        if (batch.startsFollow || !batch.holds.isEmpty()) {
            context.signals().runsToStart();
        }
        if (batch.notesChildren()) {
            context.signals().childrenNoted();
        }
        if (!tags.isEmpty()) {
            context.signals().jobsWait(tags);
        }
    }

    private Set<JobId> endLeases(Batch batch) {
        Set<JobId> ended = new HashSet<>();
        List<CancelJobsStatement.Canceled> heldByWorkers = new ArrayList<>();
        batch.written(CancelJobsStatement.SECTION).ifPresent(statement -> {
            ended.addAll(statement.canceled());
            heldByWorkers.addAll(statement.heldByWorkers());
        });
        for (EndedLeases leases : batch.endedLeases()) {
            ended.addAll(leases.jobs());
            heldByWorkers.addAll(leases.heldByWorkers());
        }
        Map<SessionId, List<Cancellation>> local = new LinkedHashMap<>();
        for (CancelJobsStatement.Canceled held : heldByWorkers) {
            context.leases().find(held.job()).ifPresent(lease -> {
                if (context.leases().remove(lease)) {
                    context.slots().release(lease.seat(), 1);
                }
            });
            context.started().ended(held.job());
            if (context.slots().receiver(held.session()).isPresent()) {
                add(local, held.session(), new Cancellation(held.job(), held.token(), held.reason()));
            } else {
                context.signals().leaseEndedElsewhere(held.session(), held.job(), held.reason());
            }
        }
        send(local, (receiver, cancellations) -> receiver.cancel(cancellations));
        return ended;
    }

    private void deliver(Batch batch, Set<JobId> canceled) {
        List<Delivery> deliveries = batch.deliveries();
        batch.written(ClaimJobsStatement.SECTION).ifPresent(statement -> {
            for (int i = 0; i < batch.rows(ClaimJobsStatement.SECTION).size(); i++) {
                deliveries.addAll(statement.claimed(i));
            }
        });
        Map<SessionId, List<Delivery>> bySession = new LinkedHashMap<>();
        for (Delivery delivery : deliveries) {
            LeasedJob lease = delivery.lease();
            if (canceled.contains(lease.job().id())) {
                context.slots().release(lease.seat(), 1);
            } else {
                if (!context.leases().add(lease)) {
                    // Another lane has compared the leases with the database since the commit, and counted this one.
                    context.slots().release(lease.seat(), 1);
                }
                add(bySession, lease.seat().session(), delivery);
            }
        }
        send(bySession, (receiver, toDeliver) -> receiver.deliver(toDeliver));
    }

    private void tellFollowers(Batch batch) {
        batch.endedRuns.keySet().forEach(context.events()::ended);
        batch.rows(FinishJobsStatement.SECTION)
                .forEach(job -> context.events().changed(job.lease().job().run()));
        batch.rows(EnqueueJobsStatement.SECTION)
                .forEach(job -> context.events().changed(job.job().run()));
        batch.rows(BeginWaitsStatement.SECTION)
                .forEach(wait -> context.events().changed(wait.job().run()));
        batch.rows(EndWaitsStatement.SECTION).forEach(wait -> context.events().changed(wait.run()));
        batch.rows(RequeueJobsStatement.SECTION)
                .forEach(job -> context.events().changed(job.lease().job().run()));
        batch.rows(SkipStepsStatement.SECTION).forEach(step -> context.events().changed(step.run()));
        batch.withdrawn().forEach(step -> context.events().changed(step.run()));
        batch.holds.keySet().forEach(context.events()::changed);
    }

    private <T> void send(Map<SessionId, List<T>> bySession, BiConsumer<LeaseReceiver, List<T>> send) {
        bySession.forEach((session, items) ->
                context.slots().receiver(session).ifPresent(receiver -> send.accept(receiver, items)));
    }

    private static <T> void add(Map<SessionId, List<T>> bySession, SessionId session, T item) {
        bySession.computeIfAbsent(session, _ -> new ArrayList<>()).add(item);
    }
}
