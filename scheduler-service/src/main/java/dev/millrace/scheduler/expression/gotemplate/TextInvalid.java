package dev.millrace.scheduler.expression.gotemplate;

/** Exception that carries a problem in a text up to {@link GoTemplates#read}, which returns it as a value. */
final class TextInvalid extends RuntimeException {
    private final String remedy;

    TextInvalid(String message, String remedy) {
        super(message, null, false, false);
        this.remedy = remedy;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    String remedy() {
        return remedy;
    }
}
