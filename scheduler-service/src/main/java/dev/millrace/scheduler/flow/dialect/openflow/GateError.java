package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a flow has failed. If a gate for people has failed it, the error has Windmill's name, by which failure modules tell a
 * denial from a timeout.
 *
 * @param gates ids of the steps that wait for people
 */
record GateError(List<String> gates) implements Computed {
    /** The names of Windmill by ours. */
    private static final Map<String, String> NAMES =
            Map.of("Denied", "SuspendedDisapproved", "TimedOut", "SuspendedTimedOut");

    GateError {
        gates = List.copyOf(gates);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue error = scope.error().orElse(JsonValue.NULL);
        String name = NAMES.get(text(error, "name"));
        String key = text(error, "step_id");
        if (name == null || !gates.contains(key.substring(key.lastIndexOf('.') + 1))) {
            return error;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(error.members());
        members.put("name", JsonValue.ofString(name));
        return JsonValue.ofMembers(members);
    }

    private static String text(JsonValue error, String member) {
        JsonValue value = error.members().getOrDefault(member, JsonValue.NULL);
        return value.kind() == JsonValue.Kind.STRING ? value.string() : "";
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(OpenFlowFunctions.FAMILY + ".gate_error")
                .texts(gates)
                .write();
    }
}
