package dev.millrace.text.script;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The lock of a script that was exported from Windmill: exact versions of its packages, in a file of the version that has the
 * name of the script with another ending.
 */
public final class WindmillLock {
    /** Separates the {@code package.json} of a script for Bun from its {@code bun.lock}. */
    private static final Pattern BUN_LOCK = Pattern.compile("\\r?\\n//bun\\.lock\\r?\\n");

    private static final String EMPTY = "<empty>";

    private static final Pattern ENDING = Pattern.compile("(?:\\.(?:bun|deno|fetch))?\\.[a-z]+$");
    private static final Pattern EXACT =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*+(?:\\[[^]]*+])?\\s*+(?:===?|@)\\s*+\\S.*+");

    /** Packages that the worker brings itself. */
    private static final Pattern BROUGHT = Pattern.compile("wmill\\b.*");

    private WindmillLock() {}

    /** Path of the lock of a script. */
    public static String pathFor(String script) {
        return ENDING.matcher(script).replaceFirst("") + ".lock";
    }

    /** Paths under which Windmill's command line writes the lock of a script. */
    public static List<String> pathsFor(String script) {
        String stem = ENDING.matcher(script).replaceFirst("");
        return List.of(stem + ".lock", stem + ".script.lock");
    }

    /** Whether a text is the lock of a script in a file with this name. */
    public static boolean isFor(String script, String lock) {
        return script.endsWith(".py") ? python(lock).isPresent() : bun(lock).isPresent();
    }

    /** The requirements of a lock for Python, without those that the worker brings; empty if the text is none. */
    public static Optional<List<String>> python(String lock) {
        List<String> lines = lock.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        return !lock.isBlank()
                        && lines.stream().allMatch(line -> EXACT.matcher(line).matches())
                ? Optional.of(lines.stream()
                        .filter(line -> !BROUGHT.matcher(line).matches())
                        .toList())
                : Optional.empty();
    }

    /**
     * What Bun installs.
     *
     * @param project text of its {@code package.json}
     * @param lock text of its {@code bun.lock}
     */
    public record Bun(String project, String lock) {}

    /** The parts of a lock for Bun; empty if the text is none, or names no packages. */
    public static Optional<Bun> bun(String lock) {
        String[] parts = BUN_LOCK.split(lock, 2);
        return parts.length == 2 && !parts[1].strip().equals(EMPTY)
                ? Optional.of(new Bun(parts[0], parts[1]))
                : Optional.empty();
    }
}
