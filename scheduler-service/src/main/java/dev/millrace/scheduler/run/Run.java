package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;

/**
 * A run in its current state.
 *
 * @param kind kind of the target: a script, a handler or a flow
 * @param target hash of the script or flow, or name of the handler
 * @param name path of the script or flow, or name of the handler, for people
 * @param paused whether workers get no more of its jobs until it is resumed
 * @param waiting why the run has not been started, as a full sentence; empty once it has
 * @param origin the run from which it was made
 * @param error present once the run has failed or been canceled
 * @param fromCache whether the output was taken from the cache, so that nothing ran
 * @param options options that are stored with the run; in lists, only who or what started it
 */
public record Run(
        RunId id,
        Workspace workspace,
        JobKind kind,
        String target,
        String name,
        RunState state,
        boolean paused,
        String waiting,
        Optional<RunOrigin> origin,
        Payloads payloads,
        Optional<JobError> error,
        Times times,
        boolean fromCache,
        KeptOptions options) {
    public Run {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(kind, "kind");
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        requireNonNull(state, "state");
        requireNonNull(waiting, "waiting");
        requireNonNull(origin, "origin");
        requireNonNull(payloads, "payloads");
        requireNonNull(error, "error");
        requireNonNull(times, "times");
        requireNonNull(options, "options");
    }

    public Run withoutInput() {
        Payloads output = new Payloads(Optional.empty(), payloads.result());
        return new Run(
                id, workspace, kind, target, name, state, paused, waiting, origin, output, error, times, fromCache,
                options);
    }

    /** The target, with as much detail as the validation of another input needs. */
    public RunTarget asTarget() {
        return kind == JobKind.FLOW ? new RunTarget.FlowRun(target) : new RunTarget.Job(new JobTarget.Handler(name));
    }

    /** Adds the values that the root job's row does not contain. */
    public Run with(Optional<RunOrigin> comesFrom, KeptOptions given) {
        return new Run(
                id, workspace, kind, target, name, state, paused, waiting, comesFrom, payloads, error, times, fromCache,
                given);
    }

    /** Adds the start of the root job from memory, if it runs and no row says when it began. */
    public Run startedAsIn(StartedJobs jobs) {
        return isOfUnknownStart() ? withStart(jobs.startOf(id.rootJob())) : this;
    }

    /** Whether the run is under way, and nothing says since when. */
    public boolean isOfUnknownStart() {
        return state == RunState.RUNNING && times.started().isEmpty();
    }

    public Run withStart(Optional<Instant> start) {
        return with(times.withStarted(start));
    }

    private Run with(Times value) {
        return new Run(
                id, workspace, kind, target, name, state, paused, waiting, origin, payloads, error, value, fromCache,
                options);
    }
}
