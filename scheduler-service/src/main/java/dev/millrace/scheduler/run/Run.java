package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * A run as it stands.
 *
 * @param kind what it runs: a script, a handler or a flow
 * @param target hash of the script or flow, or name of the handler
 * @param name path of the script or flow, or name of the handler, for people
 * @param paused whether nothing more of it is given to workers for now
 * @param error present once failed or cancelled
 */
public record Run(
        RunId id,
        String workspace,
        JobKind kind,
        String target,
        String name,
        RunState state,
        boolean paused,
        Payloads payloads,
        Optional<JobError> error,
        Times times) {
    public Run {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(kind, "kind");
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        requireNonNull(state, "state");
        requireNonNull(payloads, "payloads");
        requireNonNull(error, "error");
        requireNonNull(times, "times");
    }

    Run withoutInput() {
        Payloads output = new Payloads(Optional.empty(), payloads.result());
        return new Run(id, workspace, kind, target, name, state, paused, output, error, times);
    }

    Run withTimes(Times value) {
        return new Run(id, workspace, kind, target, name, state, paused, payloads, error, value);
    }
}
