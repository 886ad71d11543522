package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.error.MillraceException;
import java.util.regex.Pattern;

/** Validation of flow paths. */
final class FlowPaths {
    private static final int LENGTH_MAX = 256;
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

    private FlowPaths() {}

    static void require(String path) {
        if (path.isEmpty()) {
            throw MillraceException.invalid(
                    "path", "is empty, and the definition has no name: give a path, or the definition a name");
        }
        if (path.length() > LENGTH_MAX || !PATH.matcher(path).matches()) {
            throw MillraceException.invalid(
                    "path",
                    "\"" + path + "\" (expected: names of A-Z, a-z, 0-9, '_' and '-', joined by '/', at most "
                            + LENGTH_MAX + " characters)");
        }
    }
}
