package dev.millrace.scheduler.queue.core;

import java.util.regex.Pattern;

/**
 * The language of a script, by its name. Workers may know languages that this program does not.
 *
 * @param name a lower-case letter, then lower-case letters, digits, hyphens and underscores
 */
public record Language(String name) {
    /** Maximum number of characters of a name. */
    public static final int LENGTH_MAX = 32;
    /** The syntax of names in words, for messages. */
    public static final String EXPECTED = "a lower-case letter, then lower-case letters, digits, '-' and '_', at most "
            + LENGTH_MAX + " characters, for example bash";

    /** Stands before the constants, which it checks. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0," + (LENGTH_MAX - 1) + "}");

    public static final Language PYTHON = new Language("python");
    public static final Language DENO = new Language("deno");
    public static final Language BUN = new Language("bun");

    public Language {
        if (!isValid(name)) {
            throw new IllegalArgumentException("language: \"" + name + "\" (expected: " + EXPECTED + ")");
        }
    }

    public static boolean isValid(String name) {
        return NAME.matcher(name).matches();
    }

    /** The default tag of jobs in this language. */
    public String tag() {
        return name;
    }
}
