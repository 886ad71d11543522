package dev.millrace.scheduler.queue.core;

/** The folder of a path or of the name of a run: its first part. Roles are bound to folders. */
public final class Folder {
    /** As the folder of a role: the whole workspace. As the folder of a path: none, so that only such a role counts. */
    public static final String NONE = "";

    /** What the name of a folder looks like, for messages. */
    public static final String EXPECTED = "the first part of a path, without '/'";

    private Folder() {}

    /** Whether a path can have the folder, or it is {@link #NONE}. */
    public static boolean isPossible(String folder) {
        return folder.indexOf('/') < 0;
    }

    /** The text before the first {@code /}; {@link #NONE} if there is none. */
    public static String of(String path) {
        int end = path.indexOf('/');
        return end < 0 ? NONE : path.substring(0, end);
    }
}
