package dev.millrace.scheduler.tag.core;

import java.util.Map;

/** What a worker needs to serve a tag. */
public final class Programs {
    /** What a worker needs for the languages whose programs a machine may lack, by their tags. */
    private static final Map<String, String> BY_TAG = Map.of(
            "python", "Python 3.10 or newer",
            "packages:python", "Python 3.10 or newer",
            "deno", "Deno 2",
            "packages:deno", "Deno 2",
            "bun", "Bun",
            "packages:bun", "Bun",
            "bash", "Bash",
            "go", "Go");

    private Programs() {}

    /**
     * How to get a worker that serves the tag, in a full sentence.
     *
     * @param otherwise what else helps if the tag is that of no language, as the end of a sentence
     */
    public static String howToServe(String tag, String otherwise) {
        String program = BY_TAG.get(tag);
        return program == null
                ? "Start a worker that does, or " + otherwise + "."
                : "A worker does if it has slots for the tag and finds " + program
                        + " on its machine when it starts: \"./millrace workers list\" shows what each has found.";
    }
}
