package dev.millrace.worker.internal.runtime;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Names of folders for names that people choose. */
public final class FolderName {
    private FolderName() {}

    /** The name itself where every file system takes it, else one that stands for it alone. */
    public static String of(String name) {
        return name.matches("[A-Za-z0-9_-]{1,100}")
                ? name
                : "x." + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
    }
}
