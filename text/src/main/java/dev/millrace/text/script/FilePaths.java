package dev.millrace.text.script;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Arithmetic on paths below the root of a script's files, whose parts are joined by {@code /}. */
public final class FilePaths {
    private FilePaths() {}

    /** Folder of a file; empty for a file in the root. */
    public static String folder(String file) {
        return file.substring(0, Math.max(0, file.lastIndexOf('/')));
    }

    /** Path of a file in a folder, which is empty for the root. */
    public static String in(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    /**
     * Resolves a path that may contain {@code .} and {@code ..}.
     *
     * @param folder in which the path begins; empty for the root
     * @return empty if the path leads out of the root
     */
    public static Optional<String> resolve(String folder, String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : in(folder, path).split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    return Optional.empty();
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return Optional.of(String.join("/", parts));
    }
}
