package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobTarget;

/** The resolved limit of a task's job. */
sealed interface LimitResolution {
    record Known(JobLimit limit) implements LimitResolution {}

    /** The key could not be computed or is not usable. */
    record Unusable(JobError error) implements LimitResolution {}

    static LimitResolution of(TaskOptions.Limit limit, JobTarget target, Bindings bindings) {
        if (limit.key().isEmpty()) {
            return known(limit, nameOf(target));
        }
        return switch (bindings.resolve(limit.key().get())) {
            case Resolution.Unresolved unresolved ->
                new Unusable(FlowErrors.unresolved("key of the limit", unresolved));
            case Resolution.Resolved(JsonValue key) -> known(limit, RunKey.text(key));
        };
    }

    private static LimitResolution known(TaskOptions.Limit limit, String key) {
        if (JobLimit.isOfWorkspace(key) && !limit.isOfWorkspace()) {
            return new Unusable(JobError.permanent(
                    "InvalidKey",
                    "The key of the limit was computed as \"" + key
                            + "\", but a key of the whole workspace begins with \"" + JobLimit.OF_WORKSPACE
                            + "\" in the definition itself."));
        }
        return key.isEmpty() || key.length() > JobLimit.KEY_LENGTH_MAX
                ? new Unusable(JobError.permanent(
                        "InvalidKey",
                        "The key of the limit has " + key.length() + " characters (expected: 1 to "
                                + JobLimit.KEY_LENGTH_MAX + ")."))
                : new Known(new JobLimit(key, limit.max(), limit.rate()));
    }

    private static String nameOf(JobTarget target) {
        return switch (target) {
            case JobTarget.Script script -> script.hash();
            case JobTarget.Handler handler -> handler.name();
        };
    }
}
