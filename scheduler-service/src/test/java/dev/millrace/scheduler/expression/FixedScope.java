package dev.millrace.scheduler.expression;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Scope with the values of a test. */
public final class FixedScope implements Scope {
    private final JsonValue inputs;
    private final Map<String, JsonValue> steps = new LinkedHashMap<>();
    private JsonValue item = JsonValue.of("{\"id\": 7, \"name\": \"ITEM\"}");

    public FixedScope(String inputs) {
        this.inputs = JsonValue.of(inputs);
    }

    /** Adds a step that has ended. */
    public FixedScope with(String step, String result) {
        steps.put(step, JsonValue.of(result));
        return this;
    }

    /** Puts the scope into a loop with this item. */
    public FixedScope inLoop(String innermost) {
        item = JsonValue.of(innermost);
        return this;
    }

    @Override
    public JsonValue inputs() {
        return inputs;
    }

    @Override
    public JsonValue stepResult(String id) {
        return findStepResult(id).orElseThrow();
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        return Optional.ofNullable(steps.get(id));
    }

    @Override
    public JsonValue item() {
        return item;
    }

    @Override
    public int index() {
        return 4;
    }

    @Override
    public Optional<JsonValue> item(int outward) {
        return outward < 2 ? Optional.of(JsonValue.of("\"OUTER\"")) : Optional.empty();
    }

    @Override
    public int index(int outward) {
        return outward < 2 ? 9 : -1;
    }

    @Override
    public JsonValue variables() {
        return JsonValue.of("{\"mode\": \"fast\"}");
    }

    @Override
    public Optional<JsonValue> result() {
        return Optional.empty();
    }

    @Override
    public Optional<JsonValue> error() {
        return Optional.empty();
    }

    @Override
    public JsonValue env() {
        return JsonValue.of("{\"region\": \"eu\"}");
    }

    @Override
    public OptionalInt retry() {
        return OptionalInt.empty();
    }

    @Override
    public String runId() {
        return "R";
    }
}
