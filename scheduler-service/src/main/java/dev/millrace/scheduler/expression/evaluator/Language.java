package dev.millrace.scheduler.expression.evaluator;

/** Language of a request. */
public enum Language {
    /** A JavaScript function, with its arguments in JSON. */
    JAVASCRIPT(1),
    /** A JavaScript function that is only parsed. */
    JAVASCRIPT_SYNTAX(2),
    /** A jq query, with its input in JSON. */
    JQ(3),
    /** A JSONPath, with its input in JSON. */
    JSON_PATH(4),
    /** A Go template, with the values of its names. */
    GO_TEMPLATE(5);

    private final int code;

    Language(int code) {
        this.code = code;
    }

    /** Number of the language in frames. */
    int code() {
        return code;
    }

    static Language ofCode(int code) {
        for (Language language : values()) {
            if (language.code == code) {
                return language;
            }
        }
        throw new IllegalArgumentException("unknown language: " + code);
    }
}
