package dev.millrace.scheduler.expression;

/** The scope of templates without expressions. */
enum NoScope implements Scope {
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
    public String runId() {
        throw new AssertionError("a constant has no expressions");
    }
}
