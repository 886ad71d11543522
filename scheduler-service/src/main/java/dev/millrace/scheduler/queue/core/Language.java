package dev.millrace.scheduler.queue.core;

/** The runtime that a script is written for. */
public enum Language {
    PYTHON("python"),
    DENO("deno");

    private final String tag;

    Language(String tag) {
        this.tag = tag;
    }

    /** The default tag of jobs in this language. */
    public String tag() {
        return tag;
    }
}
