package dev.millrace.scheduler.expression;

import java.util.Optional;
import java.util.OptionalInt;

/** Scope for templates without expressions. */
public enum NoScope implements Scope {
    INSTANCE;

    @Override
    public JsonValue inputs() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public JsonValue stepResult(String id) {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public JsonValue item() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public int index() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public JsonValue env() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public OptionalInt retry() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public String runId() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public Optional<JsonValue> item(int outward) {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public int index(int outward) {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public JsonValue variables() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public Optional<JsonValue> result() {
        throw new AssertionError("a constant has no expressions");
    }

    @Override
    public Optional<JsonValue> error() {
        throw new AssertionError("a constant has no expressions");
    }
}
