package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.SlotBoard.Capacity;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.AttemptDecision;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Leases jobs to workers or enqueues them, and settles their ends: the part of a flush that deals with single jobs. */
public final class JobPlanner {
    /** Maximum number of jobs that one claim of a flush requests. */
    static final int CLAIM_MAX = 200;

    public static final String REFUSED_LATE =
            "The lease is no longer held: the job was given to another worker, was canceled, or has ended.";

    private final FlushPlan plan;
    private final LaneContext context;

    JobPlanner(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
    }

    /**
     * Lets slot groups with room claim waiting jobs. Each tag is in one claim only, because two would find the same
     * rows.
     */
    void claim() {
        Set<String> waiting = plan.waitingTags();
        Set<String> claimed = new HashSet<>();
        for (Capacity capacity : context.slots().capacities()) {
            List<String> tags = new ArrayList<>();
            for (String tag : capacity.tags()) {
                if (!claimed.contains(tag)
                        && (waiting.contains(tag) || context.backlog().mayWait(tag))) {
                    tags.add(tag);
                }
            }
            if (!tags.isEmpty()) {
                int room = Math.min(capacity.room(), CLAIM_MAX);
                context.slots().reserve(capacity.slot(), room);
                claimed.addAll(tags);
                plan.add(
                        ClaimJobsStatement.SECTION,
                        new Claim(
                                new Capacity(capacity.slot(), tags, room),
                                context.ids().nextLeaseToken()));
            }
        }
    }

    /**
     * Leases the job to a worker with a free slot, or enqueues it. A job is leased at once only if three conditions
     * hold: it overtakes no other job, its run is not paused, and it does not wait for admission.
     */
    public void place(QueuedJob asked, Json input, Optional<Duration> delay, boolean held) {
        QueuedJob job = routed(asked);
        Optional<Duration> wait = delay.filter(Duration::isPositive);
        String tag = job.queueTag();
        for (LaneFeature feature : plan.features()) {
            feature.queued(job);
        }
        boolean mayPass = !held
                && job.isClaimable()
                && wait.isEmpty()
                && context.backlog().mayPass(tag, job.order());
        Optional<LeasedJob> lease = mayPass
                ? context.slots()
                        .reserve(tag)
                        .map(slot -> new LeasedJob(job, slot, context.ids().nextLeaseToken()))
                : Optional.empty();
        enqueue(new EnqueuedJob(job, input, lease, wait, held, Optional.empty()));
    }

    /** The job under the tag that leads to the workers which may take jobs of its workspace. */
    QueuedJob routed(QueuedJob job) {
        if (job.kind() != JobKind.SCRIPT && job.kind() != JobKind.HANDLER) {
            return job;
        }
        String asked = job.options().tag();
        String route = context.routes().route(job.workspace(), asked);
        return route.equals(asked) ? job : job.withTag(route);
    }

    void attemptEnded(EndAttempt ended) throws DatabaseLost {
        Optional<LeasedJob> lease = findLease(ended);
        if (lease.isEmpty()) {
            boolean alreadyDone = plan.settled(ended.job())
                            .filter(settled -> settled.token().equals(ended.token()))
                            .isPresent()
                    || plan.store().isFinishedBy(ended.job(), ended.token());
            String refusal = alreadyDone ? "" : REFUSED_LATE;
            plan.acknowledge(ended.listener(), new ResultAck(ended.job(), ended.token(), refusal));
            return;
        }
        settle(ended, lease.get());
        plan.acknowledge(ended.listener(), new ResultAck(ended.job(), ended.token(), ""));
    }

    private Optional<LeasedJob> findLease(EndAttempt ended) throws DatabaseLost {
        if (plan.settled(ended.job()).isPresent()) {
            return Optional.empty();
        }
        Optional<LeasedJob> known = context.leases().find(ended.lease());
        return known.isPresent()
                ? known
                : plan.store().findLease(ended.job(), ended.token()).map(this::withSlot);
    }

    private LeasedJob withSlot(LeasedJob lease) {
        SlotRef slot = context.slots()
                .slotOf(lease.slot().session(), lease.job().options().tag());
        return new LeasedJob(lease.job(), slot, lease.token());
    }

    private void settle(EndAttempt ended, LeasedJob lease) throws DatabaseLost {
        QueuedJob job = lease.job();
        // A lease that only the database knows has no slot here, unless a resync adds it before the commit.
        Optional<LeaseReceiver> freed = context.leases()
                .find(lease.key())
                .flatMap(known -> context.slots().receiver(known.slot().session()));
        plan.settle(lease, freed);
        if (freed.isPresent()) {
            context.slots().release(lease.slot(), 1);
        }
        switch (AttemptDecision.decide(
                job, ended.result(), context.lossesMax(), context.random().nextDouble())) {
            case AttemptDecision.Requeue requeue -> {
                plan.add(RequeueJobsStatement.SECTION, new RequeuedJob(lease, requeue));
                for (LaneFeature feature : plan.features()) {
                    feature.requeued(job, requeue, ended.runMicros(), ended.workerName());
                }
                if (!requeue.note().isEmpty()) {
                    plan.publish(new JobNote(job, requeue.note()));
                }
            }
            case AttemptDecision.End(Outcome outcome) -> {
                plan.add(
                        FinishJobsStatement.SECTION,
                        new FinishedJob(lease, outcome, ended.runMicros(), ended.workerName()));
                for (LaneFeature feature : plan.features()) {
                    feature.jobEnds(lease, ended.result(), ended.workerName());
                }
                if (job.isRoot()) {
                    plan.end(job.run(), outcome);
                } else if (ended.failsRun() && outcome instanceof Outcome.Failed(JobError error)) {
                    plan.flows().fail(job.run(), error);
                } else {
                    plan.advance(job.run(), new FlowEvent.StepEnded(new StepKey(job.stepKey()), outcome));
                }
            }
        }
    }

    /** Adds a row of the queue. */
    public void enqueue(EnqueuedJob job) {
        plan.add(EnqueueJobsStatement.SECTION, job);
        plan.noteQueued(job.job());
    }

    /**
     * Whether jobs may wait that this flush did not lease. Either its claims did not request them, or they were
     * enqueued because claims of another lane had reserved the slots at that moment.
     */
    boolean leavesWork() {
        return !plan.rows(ClaimJobsStatement.SECTION).isEmpty()
                || !plan.waitingTags().isEmpty();
    }

    /** The jobs that this flush leases to workers outside its claims. */
    List<Delivery> deliveries() {
        List<Delivery> deliveries = new ArrayList<>();
        for (EnqueuedJob job : plan.rows(EnqueueJobsStatement.SECTION)) {
            job.lease().ifPresent(lease -> deliveries.add(new Delivery(lease, job.input())));
        }
        return deliveries;
    }

    /** The jobs that this flush has claimed for workers; only once it is durable. */
    public List<Delivery> claimed() {
        return plan.written(ClaimJobsStatement.SECTION)
                .map(ClaimJobsStatement::claimed)
                .orElse(List.of());
    }

    void written(Effects effects) {
        for (EnqueuedJob job : plan.rows(EnqueueJobsStatement.SECTION)) {
            job.delay().ifPresent(_ -> plan.publish(new DueTimeSet()));
            effects.changed(job.job().run());
        }
        for (RequeuedJob job : plan.rows(RequeueJobsStatement.SECTION)) {
            if (job.isDelayed()) {
                plan.publish(new DueTimeSet());
            }
            effects.changed(job.lease().job().run());
        }
        for (FinishedJob job : plan.rows(FinishJobsStatement.SECTION)) {
            effects.changed(job.lease().job().run());
        }
    }
}
