package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Result of the first failed step among several, {@code {"error": …}}; null if none failed. A step skipped for this
 * reason has the same result, so steps that need it are skipped as well.
 */
record FailedNeed(List<String> needs) implements Computed {
    FailedNeed {
        needs = List.copyOf(needs);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return needs.stream()
                .map(scope::stepResult)
                .filter(FailedNeed::isFailure)
                .findFirst()
                .orElse(JsonValue.NULL);
    }

    /** Whether a result is a failure of the flow. Its error names a step, unlike an error that a script returns. */
    private static boolean isFailure(JsonValue result) {
        return result.kind() == JsonValue.Kind.OBJECT
                && result.members().size() == 1
                && members(result.members().getOrDefault("error", JsonValue.NULL))
                        .containsKey("step_id");
    }

    private static Map<String, JsonValue> members(JsonValue value) {
        return value.kind() == JsonValue.Kind.OBJECT ? value.members() : Map.of();
    }

    @Override
    public Reads reads() {
        return new Reads(Set.copyOf(needs), false);
    }

    @Override
    public Optional<String> text() {
        return new CallText(FastflowFunctions.FAMILY + ".failed").texts(needs).write();
    }
}
