package dev.millrace.text.script;

/**
 * Name of the file in which a worker keeps a script, which stack traces and {@code __file__} show. It is part of the
 * content address of a version, so scheduler and workers must find the same.
 */
public final class ScriptFileName {
    /** Largest number of characters that the name takes from the path. */
    private static final int LENGTH_MAX = 100;

    private static final String UNNAMED = "script";

    private ScriptFileName() {}

    /** Returns the name in the script's path, without an ending if the path has none; empty for an empty path. */
    public static String of(String path) {
        if (path.isEmpty()) {
            return "";
        }
        String name = path.substring(path.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_");
        // The ending tells the language.
        name = name.substring(Math.max(0, name.length() - LENGTH_MAX));
        return name.isEmpty() || name.startsWith(".") ? UNNAMED + name : name;
    }
}
