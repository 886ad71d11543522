package dev.millrace.e2e.script;

import java.util.Map;

/**
 * A script that misbehaves, and the error it must end with.
 *
 * @param name what it does
 * @param fileName tells the language
 * @param source its code
 * @param error name of the error
 * @param message text the error's message must contain
 */
record BadScript(String name, String fileName, String source, String error, String message) {
    /** Longest time an attempt of these scripts may take. */
    static final String TIMEOUT = "2s";

    static BadScript python(String name, String source, String error, String message) {
        return new BadScript(name, "main.py", source, error, message);
    }

    static BadScript deno(String name, String source, String error, String message) {
        return new BadScript(name, "main.ts", source, error, message);
    }

    String path() {
        return "bad/" + name.replace(' ', '-') + "/" + fileName;
    }

    Map<String, Object> run() {
        return Map.of("target", Map.of("script", path()), "timeout", TIMEOUT);
    }

    @Override
    public String toString() {
        return (fileName.endsWith(".py") ? "Python: " : "Deno: ") + name;
    }
}
