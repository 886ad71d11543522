package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The step a run fails with. Where several steps failed, it is the one that comes first in the flow, so that it does not depend
 * on who was quicker.
 */
record Failure(StepKey key, JobError error, boolean canceled) {
    /** The failure that an outcome is; empty where it is none. */
    static Optional<Failure> of(StepKey key, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> Optional.empty();
            case Outcome.Skipped skipped -> Optional.empty();
            case Outcome.Failed failed -> Optional.of(new Failure(key, failed.error(), false));
            case Outcome.Canceled canceled -> Optional.of(new Failure(key, canceled.reason(), true));
        };
    }

    /** The one of both that the run fails with. */
    static Failure first(Graph flow, @Nullable Failure known, Failure other) {
        if (known == null) {
            return other;
        }
        return KeyWalk.of(flow, known.key).compareTo(KeyWalk.of(flow, other.key)) <= 0 ? known : other;
    }

    /** The error of the whole run. */
    JobError runError() {
        String what = canceled ? "\" was cancelled: " : "\" failed: ";
        return new JobError(error.name(), "Step \"" + key + what + error.message(), error.stack(), error.retryable());
    }
}
