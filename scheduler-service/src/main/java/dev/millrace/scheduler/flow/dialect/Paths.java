package dev.millrace.scheduler.flow.dialect;

/** Formatter of places in a definition, for example {@code steps[1].needs[0]}. */
public final class Paths {
    private Paths() {}

    public static String member(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    public static String element(String path, int index) {
        return path + "[" + index + "]";
    }
}
