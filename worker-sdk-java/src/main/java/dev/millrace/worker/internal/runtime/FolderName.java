package dev.millrace.worker.internal.runtime;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Folder names for names that people choose. */
public final class FolderName {
    private FolderName() {}

    /** Returns the name itself if every file system accepts it, else a unique substitute. */
    public static String of(String name) {
        return name.matches("[A-Za-z0-9_-]{1,100}")
                ? name
                : "x." + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
    }
}
