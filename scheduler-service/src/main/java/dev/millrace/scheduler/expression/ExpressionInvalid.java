package dev.millrace.scheduler.expression;

/**
 * Exception that carries a problem in the text of an expression up to {@link Template#read}, which returns it as a
 * value.
 */
final class ExpressionInvalid extends RuntimeException {
    private final String remedy;

    ExpressionInvalid(String message, String remedy) {
        super(message, null, false, false);
        this.remedy = remedy;
    }

    TemplateReading.Unreadable reading() {
        return new TemplateReading.Unreadable(String.valueOf(getMessage()), remedy);
    }
}
