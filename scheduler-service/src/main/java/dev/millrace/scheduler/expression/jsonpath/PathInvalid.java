package dev.millrace.scheduler.expression.jsonpath;

/** Exception that carries a problem in a path up to {@link PathTemplates#read}, which returns it as a value. */
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
