package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.toList;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.runtime.LongJobs;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeaseKey;
import dev.millrace.worker.internal.session.LeasedJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which job goes to which warm process. Guarded by the pool's lock.
 *
 * <p>Jobs of a slot group are placed strictly in order. A job goes to an idle process of its script, if there is one.
 * Otherwise, a new process starts if the group has a free slot and the budget has room. An idle process of another
 * script is ended to make room. Otherwise, the job goes into the pipe of a busy process of its script.
 */
final class Placement {
    private static final Logger logger = LoggerFactory.getLogger(Placement.class);

    private final PoolLock lock;
    private final ProcessBudget budget;

    private final Map<String, SlotQueue> queues = new LinkedHashMap<>();
    private final Map<LeaseKey, ScriptJob> jobs = new HashMap<>();
    private Consumer<List<SlotGroup>> roomListener = room -> {};
    private boolean draining;
    private boolean closed;

    /** @param longJobs notices jobs of a group that wait behind long ones */
    Placement(PoolLock lock, List<SlotGroup> slotGroups, ProcessBudget budget, Function<SlotQueue, LongJobs> longJobs) {
        this.lock = lock;
        this.budget = budget;
        for (SlotGroup group : slotGroups) {
            queues.put(group.getName(), new SlotQueue(group, longJobs));
        }
    }

    void queue(LeasedJob lease) {
        SlotQueue queue = queues.get(lease.lease().getSlotGroup());
        if (queue == null) {
            lease.giveBack(
                    "This worker has no slot group named \"" + lease.lease().getSlotGroup() + "\".");
        } else if (draining) {
            lease.giveBack("The worker is stopping.");
        } else if (!queue.fault.isEmpty()) {
            lease.giveBack(queue.fault);
        } else {
            ScriptJob job = new ScriptJob(lease, queue);
            jobs.put(lease.key(), job);
            queue.waiting.add(job);
            place(queue);
            queue.longJobs.watch();
        }
    }

    /** A job that runs this script, if possible one whose lease carries it; empty if there is no such job here. */
    Optional<LeasedJob> leaseOf(ScriptKey script) {
        return jobs.values().stream()
                .filter(job -> job.key.equals(script))
                .map(job -> job.lease)
                .max(Comparator.comparing(job -> job.lease().hasScript()));
    }

    /** Places the waiting jobs of all groups. */
    void placeAll() {
        queues.values().forEach(this::place);
    }

    void onRoomChange(Consumer<List<SlotGroup>> listener) {
        roomListener = listener;
    }

    void noteTurnaround(long nanos) {
        queues.values().forEach(queue -> queue.prefetch.turnedAround(nanos));
    }

    void stop(LeasedJob lease) {
        ScriptJob job = jobs.remove(lease.key());
        if (job != null && !job.queue.waiting.remove(job)) {
            // All processes are searched for the job, because there are few processes and cancels are rare.
            budget.all().forEach(process -> process.stop(job, ScriptJob.Stop.CANCELED));
        }
    }

    /** Stops taking jobs, and returns the waiting jobs. */
    void drain() {
        draining = true;
        budget.close();
        for (SlotQueue queue : queues.values()) {
            for (ScriptJob job : queue.waiting) {
                jobs.remove(job.lease.key());
                job.lease.giveBack("The worker is stopping.");
            }
            queue.waiting.clear();
        }
        lock.signal();
    }

    /** Stops taking jobs. The jobs that are here are neither moved nor failed. */
    void close() {
        closed = true;
        draining = true;
        budget.close();
    }

    boolean isClosed() {
        return closed;
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** The processes that have a job. */
    List<WarmProcess> busy() {
        return budget.all().filter(process -> process.running() != null).collect(toList());
    }

    /** Describes all processes that may get a job or have one. */
    List<ScriptProcess> describe() {
        return budget.all().map(WarmProcess::describe).collect(toList());
    }

    private void place(SlotQueue queue) {
        if (!queue.fault.isEmpty()) {
            return;
        }
        for (ScriptJob job = queue.waiting.peek(); job != null; job = queue.waiting.peek()) {
            if (job.lease.isHeld() && !(job.lease.mayBegin() && place(job))) {
                return;
            }
            queue.waiting.remove();
        }
    }

    private boolean place(ScriptJob job) {
        ScriptProcesses siblings = budget.of(job.key);
        WarmProcess process;
        if (job.queue.hasFreeSlot()) {
            process = siblings.idle();
            if (process == null) {
                process = budget.start(job.key);
            }
            if (process != null) {
                job.queue.busy++;
                budget.busy(process);
            }
        } else {
            process = siblings.withRoomFor(job);
        }
        if (process == null) {
            return false;
        }
        process.assign(job);
        return true;
    }

    /** Lets the processes of a version end after their jobs. */
    void unpin(ScriptKey key) {
        budget.unpin(key);
        placeAll();
    }

    /** Handles a process that has loaded its script and has no job. */
    void readyWithoutJob(WarmProcess warm) {
        if (warm.isIdle()) {
            budget.idle(warm);
            placeAll();
        }
        lock.signal();
    }

    /** Pauses all slot groups for this reason until it is empty. */
    void prepare(String reason) {
        queues.values().forEach(queue -> queue.preparing = reason);
        tellRoom();
    }

    /**
     * Removes an ended job and frees its slot, unless the next job was in the pipe. Called before the end is reported,
     * since the process may get another job from then on.
     */
    ScriptJob take(WarmProcess warm, String jobId) throws ProtocolException {
        ScriptJob job = warm.ended(jobId);
        forget(warm, job);
        return job;
    }

    /** Removes a job that awaits its secrets. Returns false if it is not there any more. */
    boolean takeUnbegun(WarmProcess warm, ScriptJob job) {
        boolean isThere = warm.awaitsSecretsOf(job);
        if (isThere) {
            warm.removeFirst();
            forget(warm, job);
        }
        return isThere;
    }

    private void forget(WarmProcess warm, ScriptJob job) {
        jobs.remove(job.lease.key());
        job.queue.longJobs.ended();
        if (warm.jobCount() == 0) {
            job.queue.busy--;
        }
    }

    /** Places waiting jobs after the end of a job has been reported. */
    void goOn(WarmProcess warm, ScriptJob ended) {
        if (ended.lease.hasStarted()) {
            noteRun(budget.find(warm.key), ended);
        }
        if (warm.isIdle()) {
            budget.idle(warm);
        } else if (warm.isSpent()) {
            budget.remove(warm);
            warm.endSpent();
        } else if (warm.isUnfit()) {
            // A thread that its last job has left may keep it from ending, and the jobs behind from going elsewhere.
            warm.kill();
        }
        place(ended.queue);
        if (warm.isIdle()) {
            placeElsewhere(ended.queue);
        }
        if (jobs.isEmpty()) {
            lock.signal();
        }
    }

    private void noteRun(@Nullable ScriptProcesses siblings, ScriptJob ended) {
        long ranNanos = ended.lease.ranNanos();
        if (siblings != null) {
            siblings.ran(ranNanos);
        }
        if (ended.queue.prefetch.ran(ranNanos)) {
            tellRoom();
        }
    }

    void tellRoom() {
        roomListener.accept(queues.values().stream().map(SlotQueue::room).collect(toList()));
    }

    /**
     * Returns the waiting jobs of a group. They were prefetched because the jobs of the group are usually short, and
     * must not wait for a long job.
     */
    void giveBackBehind(SlotQueue queue) {
        queue.prefetch.distrust();
        tellRoom();
        while (!queue.waiting.isEmpty()) {
            ScriptJob job = queue.waiting.removeLast();
            jobs.remove(job.lease.key());
            job.lease.giveBack(LongJobs.GIVEN_BACK);
        }
    }

    private void placeElsewhere(SlotQueue except) {
        for (SlotQueue queue : queues.values()) {
            if (queue != except) {
                place(queue);
            }
        }
    }

    /** Takes the jobs from a process that never became ready, and puts them back to the front of their queue. */
    void strayTo(WarmProcess warm, SlotQueue queue) {
        budget.remove(warm);
        List<ScriptJob> left = new ArrayList<>(warm.takeAll());
        queue.busy--;
        Collections.reverse(left);
        for (ScriptJob job : left) {
            if (job.lease.isHeld() && !closed) {
                job.strayed();
                queue.waiting.addFirst(job);
            } else {
                jobs.remove(job.lease.key());
            }
        }
        if (draining) {
            drain();
        }
        // The place of the process in the budget is also free for jobs of other groups.
        placeAll();
    }

    /** Returns the waiting jobs of a group to the scheduler. */
    void returnWaiting(SlotQueue queue, String reason) {
        for (ScriptJob job : queue.waiting) {
            jobs.remove(job.lease.key());
            job.lease.giveBack(reason);
        }
        queue.waiting.clear();
        if (jobs.isEmpty()) {
            lock.signal();
        }
    }

    /**
     * Takes the jobs from a process that has ended: its running job fails with this error if it had begun, and the
     * others go elsewhere, unless they may have begun, too.
     */
    void release(WarmProcess warm, JobError error) {
        if (warm.isReleased()) {
            return;
        }
        budget.remove(warm);
        List<ScriptJob> left = warm.takeAll();
        if (left.isEmpty()) {
            if (!warm.wasLoaded()) {
                budget.pins().fail(warm.key, error.getMessage());
            }
            lock.signal();
            return;
        }
        SlotQueue queue = left.get(0).queue;
        queue.busy--;
        List<ScriptJob> strays = new ArrayList<>();
        for (ScriptJob job : left) {
            if (closed || !job.lease.isHeld()) {
                jobs.remove(job.lease.key());
            } else if (job.stop == ScriptJob.Stop.TIMED_OUT) {
                jobs.remove(job.lease.key());
                job.lease.fail(JobErrors.timedOut(job.lease.timeout()));
            } else if (job == left.get(0) && failsWithItsProcess(warm, job)) {
                jobs.remove(job.lease.key());
                job.lease.fail(error);
            } else if (warm.mayHaveBegun(job)) {
                jobs.remove(job.lease.key());
                job.lease.fail(ProcessEnd.ofJobBehind());
            } else {
                job.strayed();
                strays.add(0, job);
            }
        }
        strays.forEach(queue.waiting::addFirst);
        if (draining) {
            drain();
        }
        placeAll();
        if (jobs.isEmpty()) {
            lock.signal();
        }
        logger.atDebug().addKeyValue("error", error.getName()).log("A script process has ended.");
    }

    private static boolean failsWithItsProcess(WarmProcess warm, ScriptJob job) {
        return !warm.wasLoaded() || warm.failure() != null || job.hasBegun() || job.strays >= ScriptJob.STRAYS_MAX;
    }
}
