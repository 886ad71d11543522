package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.ExpressionReading;

/** Exception that carries a problem in a script up to {@link JavaScript#read}, which returns it as a value. */
final class ScriptInvalid extends RuntimeException {
    private final String remedy;

    ScriptInvalid(String message, String remedy) {
        super(message, null, false, false);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }

    ExpressionReading.Unreadable reading() {
        return new ExpressionReading.Unreadable(String.valueOf(getMessage()), remedy);
    }
}
