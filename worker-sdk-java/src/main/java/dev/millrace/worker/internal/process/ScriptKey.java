package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.FolderName;
import java.nio.file.Path;

/** One version of a script in one workspace: the unit that shares warm processes. */
record ScriptKey(String workspace, String hash) {
    ScriptKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(hash, "hash");
    }

    /** The folder of this script version below a common one. */
    Path folderBelow(Path common) {
        return common.resolve(FolderName.of(workspace)).resolve(FolderName.of(hash));
    }
}
