package dev.millrace.scheduler.expression;

import java.util.List;
import java.util.Optional;

/** Negation of a condition with JavaScript's notion of truth. */
public record Negated(Template condition) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return new Composed(condition).evaluate(scope).isTruthy() ? JsonValue.FALSE : JsonValue.TRUE;
    }

    @Override
    public boolean isPlain() {
        return condition.isPlain();
    }

    @Override
    public Reads reads() {
        return new Composed(condition).reads();
    }

    @Override
    public List<Path> paths() {
        return new Composed(condition).paths();
    }

    @Override
    public Optional<String> text() {
        return ExpressionText.of(condition).map(text -> "!(" + text + ")");
    }

    @Override
    public Optional<String> operand() {
        return text().map(text -> "(" + text + ")");
    }
}
