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
 * A step as it stands; of a run without a flow, the root job itself.
 *
 * @param key place in the flow; empty for the root
 * @param attempt number of the present or last attempt, from 1
 * @param worker name of the worker that has or had it; empty where none
 * @param fromCache whether its result was taken from the cache, and nothing ran
 * @param erased whether its input, result and logs were taken away after the run
 * @param childRun the run whose end it waits for, or waited for; absent for other kinds
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

    /** A step that ran, or is to run. */
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

    /** The same with its start from memory, if it runs and no row says when it began. */
    Step startedAsIn(StartedJobs jobs) {
        if (state != StepState.RUNNING || times.started().isPresent()) {
            return this;
        }
        Times begun = times.withStarted(jobs.startOf(id));
        return new Step(id, key, kind, state, attempt, payloads, error, begun, worker, fromCache, erased, childRun);
    }

    /** The end of a container under the id and with the beginning of its opening. */
    Step continuing(Step opening) {
        Times begun = new Times(opening.times.created(), Optional.of(opening.times.created()), times.ended());
        return new Step(
                opening.id, key, kind, state, attempt, payloads, error, begun, worker, fromCache, erased, childRun);
    }
}
