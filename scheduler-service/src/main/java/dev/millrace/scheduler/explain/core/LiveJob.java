package dev.millrace.scheduler.explain.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.tag.core.AbsentWorkers;
import dev.millrace.scheduler.tag.core.TagPause;
import java.time.Instant;
import java.util.Optional;

/**
 * A job or wait in the queue.
 *
 * @param key of its step, with a mark if the job does not run the step itself; empty for the only job of a run without
 *     a flow
 * @param runAfter when the job may begin or the wait ends
 * @param worker that has the lease; empty if none has
 * @param slots number of slots for its tag on all connected workers; counted only for queued jobs
 * @param ahead number of jobs with the same tag that run first; counted only for queued jobs
 * @param awaited events that a wait waits for
 * @param keeper name of the worker with the folder of its group, empty until a worker is chosen; absent for a job that
 *     any worker may run
 * @param limitQueue position in the queue of its limit; absent if the job has no limit or was admitted
 * @param child run that the job waits for; absent if it waits for none
 * @param absent connected workers with its tag that take no jobs now
 * @param tagPause the pause of its tag; absent if the tag is not paused
 */
public record LiveJob(
        String key,
        JobState state,
        String tag,
        int attempt,
        Optional<Instant> runAfter,
        String worker,
        int slots,
        int ahead,
        Optional<Awaited> awaited,
        Optional<String> keeper,
        Optional<LimitQueue> limitQueue,
        Optional<Child> child,
        AbsentWorkers absent,
        Optional<TagPause> tagPause) {
    public LiveJob {
        requireNonNull(key, "key");
        requireNonNull(state, "state");
        requireNonNull(tag, "tag");
        requireNonNull(runAfter, "runAfter");
        requireNonNull(worker, "worker");
        requireNonNull(awaited, "awaited");
        requireNonNull(keeper, "keeper");
        requireNonNull(limitQueue, "limitQueue");
        requireNonNull(child, "child");
        requireNonNull(absent, "absent");
        requireNonNull(tagPause, "tagPause");
    }

    /** A job that waits neither for a run nor for a paused worker or tag. */
    public LiveJob(
            String key,
            JobState state,
            String tag,
            int attempt,
            Optional<Instant> runAfter,
            String worker,
            int slots,
            int ahead,
            Optional<Awaited> awaited,
            Optional<String> keeper,
            Optional<LimitQueue> limitQueue) {
        this(
                key,
                state,
                tag,
                attempt,
                runAfter,
                worker,
                slots,
                ahead,
                awaited,
                keeper,
                limitQueue,
                Optional.empty(),
                AbsentWorkers.NONE,
                Optional.empty());
    }

    /**
     * A run that a step waits for.
     *
     * @param flow path of its flow
     * @param state of its root job; absent once the job has left the queue
     */
    public record Child(String run, String flow, Optional<JobState> state, boolean paused) {
        public Child {
            requireNonNull(run, "run");
            requireNonNull(flow, "flow");
            requireNonNull(state, "state");
        }
    }

    /**
     * The queue of a limit.
     *
     * @param limit of the job
     * @param released number of admitted jobs that have not ended
     * @param begun number of jobs that count against the rate
     */
    public record LimitQueue(JobLimit limit, int released, int begun) {
        public LimitQueue {
            requireNonNull(limit, "limit");
        }
    }

    /** Events that a wait waits for. */
    public record Awaited(EventKind kind, String name, int required, int received) {
        public Awaited {
            requireNonNull(kind, "kind");
            requireNonNull(name, "name");
        }
    }

    /** Key of the step, without the mark. */
    String step() {
        return mark() < 0 ? key : key.substring(0, mark());
    }

    boolean hasMark(String text) {
        return mark() >= 0 && key.substring(mark()).equals(text);
    }

    /**
     * Index of the mark. The search skips the first character: keys of steps that run after a failure of the flow begin
     * with a mark.
     */
    private int mark() {
        return key.indexOf('#', 1);
    }
}
