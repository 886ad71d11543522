package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.JobScope;
import java.nio.file.Path;

/** One version of a script in one scope: the unit that shares warm processes. */
record ScriptKey(JobScope scope, String hash) {
    ScriptKey {
        requireNonNull(scope, "scope");
        requireNonNull(hash, "hash");
    }

    /** The script that a leased job runs. */
    static ScriptKey of(Lease lease) {
        return new ScriptKey(JobScope.of(lease), lease.getScriptHash());
    }

    String workspace() {
        return scope.workspace();
    }

    /** The directory of this version below one that is for code, which all scopes of the workspace share. */
    Path codeBelow(Path common) {
        return common.resolve(FolderName.of(workspace())).resolve(FolderName.of(hash));
    }

    /** The directory of this version and scope below one that is for what jobs write. */
    Path dataBelow(Path common) {
        return scope.below(common).resolve(FolderName.of(hash));
    }
}
