package dev.millrace.scheduler.expression.evaluator;

/** What a request is written in. */
public enum Language {
    /** A function in JavaScript, and the JSON of its arguments. */
    JAVASCRIPT(1),
    /** A function in JavaScript that is only parsed. */
    JAVASCRIPT_SYNTAX(2),
    /** A query of jq, and the JSON it is asked of. */
    JQ(3),
    /** A JSONPath, and the JSON it is asked of. */
    JSON_PATH(4),
    /** A Go template, and the values of its names. */
    GO_TEMPLATE(5);

    private final int code;

    Language(int code) {
        this.code = code;
    }

    /** What stands for it in frames. */
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
