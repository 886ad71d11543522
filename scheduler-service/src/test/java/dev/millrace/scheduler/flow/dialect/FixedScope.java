package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Scope of a test: inputs are texts, and results of steps are JSON. */
record FixedScope(Map<String, String> texts, Map<String, String> results) implements Scope {
    @Override
    public JsonValue inputs() {
        Map<String, Template> members = new TreeMap<>();
        texts.forEach((name, text) -> members.put(name, new Template.Constant(JsonValue.ofString(text))));
        return ((Template.Constant) Template.object(members)).value();
    }

    @Override
    public JsonValue stepResult(String id) {
        return findStepResult(id).orElse(JsonValue.NULL);
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        return Optional.ofNullable(results.get(id)).map(JsonValue::of);
    }

    @Override
    public JsonValue item() {
        throw new IllegalStateException("There is no loop.");
    }

    @Override
    public int index() {
        throw new IllegalStateException("There is no loop.");
    }

    @Override
    public Optional<JsonValue> item(int outward) {
        return Optional.empty();
    }

    @Override
    public int index(int outward) {
        return -1;
    }

    @Override
    public JsonValue variables() {
        return JsonValue.EMPTY_OBJECT;
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
        return JsonValue.EMPTY_OBJECT;
    }

    @Override
    public OptionalInt retry() {
        return OptionalInt.empty();
    }

    @Override
    public String runId() {
        return "run";
    }
}
