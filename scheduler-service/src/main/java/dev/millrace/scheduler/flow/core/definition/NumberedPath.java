package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reference to a deployed flow: its path, optionally with the number of a version, as in {@code report@2}.
 *
 * @param number that the definition gives itself; absent for the version that is currently deployed at the path
 */
public record NumberedPath(String path, OptionalInt number) {
    /** Number of flows whose definitions state no number. */
    public static final int FIRST = 1;

    private static final Pattern NUMBERED = Pattern.compile("([^@]*)@([0-9]{1,9})");

    public NumberedPath {
        requireNonNull(path, "path");
        requireNonNull(number, "number");
    }

    /** Reads {@code PATH} or {@code PATH@NUMBER}. Any other text becomes a path that matches no flow. */
    public static NumberedPath read(String text) {
        Matcher numbered = NUMBERED.matcher(text);
        return numbered.matches()
                ? new NumberedPath(numbered.group(1), OptionalInt.of(Integer.parseInt(numbered.group(2))))
                : new NumberedPath(text, OptionalInt.empty());
    }

    @Override
    public String toString() {
        return path + (number.isPresent() ? "@" + number.getAsInt() : "");
    }
}
