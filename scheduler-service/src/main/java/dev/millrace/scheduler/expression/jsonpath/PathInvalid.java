package dev.millrace.scheduler.expression.jsonpath;

/** Carries what is wrong with a path up to {@link PathTemplates#read}, which makes it a value. */
final class PathInvalid extends RuntimeException {
    private final String remedy;

    PathInvalid(String message, String remedy) {
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
