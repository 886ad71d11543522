package dev.millrace.e2e.script;

import java.util.Map;

/**
 * A script that misbehaves, and its expected error.
 *
 * @param name what the script does wrong
 * @param fileName file name, which tells the language
 * @param source code of the script
 * @param error name of the error
 * @param message text that the error's message must contain
 */
record BadScript(String name, String fileName, String source, String error, String message) {
    private static final String TIMED_OUT = "TimedOut";
    /** Time limits of attempts, of scripts that never end and of others. */
    private static final String ENDLESS_TIMEOUT = "500ms";

    private static final String TIMEOUT = "30s";

    static BadScript endless(String name, String fileName, String source) {
        return new BadScript(name, fileName, source, TIMED_OUT, "500 ms");
    }

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
        return Map.of(
                "target", Map.of("script", path()), "timeout", error.equals(TIMED_OUT) ? ENDLESS_TIMEOUT : TIMEOUT);
    }

    @Override
    public String toString() {
        return (fileName.endsWith(".py") ? "Python: " : "Deno: ") + name;
    }
}
