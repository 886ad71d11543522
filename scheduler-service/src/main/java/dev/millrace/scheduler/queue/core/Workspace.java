package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A workspace: the owner of flows, scripts and runs. Callers of one workspace never find anything of another.
 *
 * @param name the key of the workspace: its first name, which is 1 to 64 characters a-z, 0-9, '_' and '-', the first a
 *     letter or digit. If an earlier workspace had that name, "." and a number follow. The key never changes.
 */
public record Workspace(String name) {
    /** The workspace of callers that name none. */
    public static final Workspace DEFAULT = new Workspace("default");

    /** Maximum number of characters of a name. */
    public static final int LENGTH_MAX = 64;

    private static final char NUMBER = '.';
    private static final int NUMBER_LENGTH_MAX = 9;

    /** Fails with {@link IllegalArgumentException} if the name breaks the rules. */
    public Workspace {
        requireNonNull(name, "name");
        if (!isName(name) && !isNumbered(name)) {
            throw new IllegalArgumentException("\"" + name
                    + "\" (expected: 1 to 64 characters a-z, 0-9, '_' and '-', the first a letter or digit)");
        }
    }

    /** Returns the workspace with this name. Creates no object if that is {@link #DEFAULT}. */
    public static Workspace of(String name) {
        return DEFAULT.name.equals(name) ? DEFAULT : new Workspace(name);
    }

    /** The key of a workspace whose name other workspaces have had before. */
    public static Workspace numbered(String name, int number) {
        return new Workspace(name + NUMBER + number);
    }

    private static boolean isNumbered(String text) {
        int end = text.lastIndexOf(NUMBER);
        int digits = text.length() - end - 1;
        return end > 0
                && digits > 0
                && digits <= NUMBER_LENGTH_MAX
                && text.chars().skip(end + 1L).allMatch(digit -> digit >= '0' && digit <= '9')
                && isName(text.substring(0, end));
    }

    /** Whether a workspace may have this name. */
    public static boolean isName(String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX || !isLetterOrDigit(text.charAt(0))) {
            return false;
        }
        for (int index = 1; index < text.length(); index++) {
            char character = text.charAt(index);
            if (!isLetterOrDigit(character) && character != '_' && character != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char character) {
        return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
    }

    // Written by hand as in RunId, because each submission is looked up in caches whose keys contain workspaces.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Workspace that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
