package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Times;
import java.util.Optional;

/**
 * A step in its current state; for a run without a flow, its root job.
 *
 * @param key key of the step in the flow; empty for the root
 * @param attempt number of the current or last attempt, from 1
 * @param worker name of the worker that has or had the step; empty for none
 * @param fromCache whether the result was taken from the cache, so that nothing ran
 * @param erased whether input, result and logs were erased after the run
 * @param childRun the run for whose end the step waits or waited; absent for other kinds
 */
public record Step(
        JobId id,
        String key,
        JobKind kind,
        StepState state,
        int attempt,
        Payloads payloads,
        Optional<JobError> error,
        Times times,
        String worker,
        boolean fromCache,
        boolean erased,
        Optional<RunId> childRun) {
    public Step {
        requireNonNull(id, "id");
        requireNonNull(key, "key");
        requireNonNull(kind, "kind");
        requireNonNull(state, "state");
        requireNonNull(payloads, "payloads");
        requireNonNull(error, "error");
        requireNonNull(times, "times");
        requireNonNull(worker, "worker");
        requireNonNull(childRun, "childRun");
    }

    /** A step whose result is not from the cache, not erased, and without a child run. */
    Step(
            JobId id,
            String key,
            JobKind kind,
            StepState state,
            int attempt,
            Payloads payloads,
            Optional<JobError> error,
            Times times,
            String worker) {
        this(id, key, kind, state, attempt, payloads, error, times, worker, false, false, Optional.empty());
    }

    public boolean isRootOfFlow() {
        return kind == JobKind.FLOW;
    }

    boolean isContainer() {
        return kind.isContainer();
    }

    /** Adds the start from memory, if the step runs and no row says when it began. */
    Step startedAsIn(StartedJobs jobs) {
        if (state != StepState.RUNNING || times.started().isPresent()) {
            return this;
        }
        Times begun = times.withStarted(jobs.startOf(id));
        return new Step(id, key, kind, state, attempt, payloads, error, begun, worker, fromCache, erased, childRun);
    }

    /** The end of a container, with the id and the start of its opening. */
    Step continuing(Step opening) {
        Times begun = new Times(opening.times.created(), Optional.of(opening.times.created()), times.ended());
        return new Step(
                opening.id, key, kind, state, attempt, payloads, error, begun, worker, fromCache, erased, childRun);
    }
}
