package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/** One version of a script in one workspace: what a warm process is shared by. */
record ScriptKey(String workspace, String hash) {
    ScriptKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(hash, "hash");
    }

    /** The folder of this script version below a common one. */
    Path folderBelow(Path common) {
        return common.resolve(safeName(workspace)).resolve(safeName(hash));
    }

    private static String safeName(String name) {
        return name.matches("[A-Za-z0-9_-]{1,100}")
                ? name
                : "x." + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
    }
}
