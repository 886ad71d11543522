package dev.millrace.scheduler.flow.dialect.millrace;

/** Writes places in a definition, for example {@code steps[1].needs[0]}. */
final class Paths {
    private Paths() {}

    static String member(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    static String element(String path, int index) {
        return path + "[" + index + "]";
    }
}
