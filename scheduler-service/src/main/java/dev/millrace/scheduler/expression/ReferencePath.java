package dev.millrace.scheduler.expression;

import java.util.List;
import java.util.regex.Pattern;

/** The form of the paths of secrets and resources. It has no dots, so that a path can be written as an expression. */
public final class ReferencePath {
    /** What a path looks like, for messages. */
    public static final String EXPECTED =
            "parts of 1 to 64 letters, digits, '_' and '-', separated by '/', 255 characters at most";

    private static final int LENGTH_MAX = 255;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}(/[A-Za-z0-9_-]{1,64})*");

    private ReferencePath() {}

    public static boolean isValid(String path) {
        return path.length() <= LENGTH_MAX && FORM.matcher(path).matches();
    }

    /** The parts between the slashes. */
    public static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }
}
