package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.Map;
import java.util.Optional;

/** Reads and writes the failure of a flow as the row with which {@code onFailure} begins contains it. */
public final class HandledFailure {
    private HandledFailure() {}

    public static JsonValue write(Failure failure) {
        return JsonValue.of("{\"key\":" + JsonStrings.quote(failure.key().text())
                + ",\"canceled\":" + failure.canceled()
                + ",\"retryable\":" + failure.error().retryable()
                + ",\"error\":" + failure.value() + "}");
    }

    static Failure read(FlowModel model, JsonValue row) {
        Map<String, JsonValue> members = row.members();
        Map<String, JsonValue> error =
                members.getOrDefault("error", JsonValue.EMPTY_OBJECT).members();
        StepKey key = new StepKey(text(members, "key"));
        JobError read = new JobError(
                text(error, "name"),
                text(error, "message"),
                text(error, "stack"),
                isTrue(members, "retryable"),
                Optional.ofNullable(error.get("result")).map(JsonValue::json));
        return new Failure(key, read, isTrue(members, "canceled"), model.order(key));
    }

    private static String text(Map<String, JsonValue> members, String name) {
        JsonValue value = members.getOrDefault(name, JsonValue.NULL);
        return value.kind() == JsonValue.Kind.STRING ? value.string() : "";
    }

    private static boolean isTrue(Map<String, JsonValue> members, String name) {
        return members.getOrDefault(name, JsonValue.FALSE).equals(JsonValue.TRUE);
    }
}
