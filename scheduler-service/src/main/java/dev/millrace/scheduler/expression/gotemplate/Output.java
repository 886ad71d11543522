package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Scope;

/** Text in progress, with its limits. */
final class Output {
    /** Maximum characters of a text, and of the arguments of a function. */
    static final int CHARS_MAX = 4 * 1024 * 1024;

    private static final int STEPS_MAX = 200_000;

    private final Scope scope;
    private final StringBuilder target = new StringBuilder();
    private int steps;

    Output(Scope scope) {
        this.scope = scope;
    }

    Scope scope() {
        return scope;
    }

    void append(String text) {
        target.append(text);
        if (target.length() > CHARS_MAX) {
            throw tooLong();
        }
    }

    static EvaluationFailed tooLong() {
        return new EvaluationFailed("PayloadTooLarge", "A text becomes longer than " + CHARS_MAX + " characters.");
    }

    /** Counts a step of the evaluation. */
    void step() {
        if (++steps > STEPS_MAX) {
            throw new EvaluationFailed(
                    "ExpressionLimit",
                    "A text was stopped: it takes more than " + STEPS_MAX + " steps. Do such work in a task.");
        }
    }

    String text() {
        return target.toString();
    }

    /** Converts a value to text. */
    static String textOf(JsonValue value) {
        return switch (value.kind()) {
            case STRING -> value.string();
            case NULL -> "<nil>";
            case NUMBER, BOOLEAN, OBJECT, ARRAY -> value.text();
        };
    }
}
