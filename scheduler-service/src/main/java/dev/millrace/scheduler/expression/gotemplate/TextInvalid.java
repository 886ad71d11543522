package dev.millrace.scheduler.expression.gotemplate;

/** Carries what is wrong with a text up to {@link GoTemplates#read}, which makes it a value. */
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
