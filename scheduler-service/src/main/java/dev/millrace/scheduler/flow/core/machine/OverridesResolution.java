package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.JobOverrides;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.Optional;

/** The resolved overrides of a task's job. */
sealed interface OverridesResolution {
    record Known(JobOverrides overrides) implements OverridesResolution {}

    /** The overrides could not be computed or are not usable. */
    record Unusable(JobError error) implements OverridesResolution {}

    /** Resolves the overrides of a task; {@link JobOverrides#NONE} if it has none. */
    static OverridesResolution of(Optional<Template> overrides, Bindings bindings) {
        if (overrides.isEmpty()) {
            return new Known(JobOverrides.NONE);
        }
        return switch (bindings.resolve(overrides.get())) {
            case Resolution.Unresolved unresolved -> new Unusable(FlowErrors.unresolved("overrides", unresolved));
            case Resolution.Resolved(JsonValue value) -> read(value);
        };
    }

    private static OverridesResolution read(JsonValue value) {
        try {
            return new Known(JobOverrides.read(value));
        } catch (IllegalArgumentException wrong) {
            return new Unusable(FlowErrors.unusableOverrides(String.valueOf(wrong.getMessage())));
        } catch (EvaluationFailed unreadable) {
            return new Unusable(FlowErrors.unusableOverrides(unreadable.sentence()));
        }
    }
}
