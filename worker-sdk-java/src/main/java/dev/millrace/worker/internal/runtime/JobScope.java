package dev.millrace.worker.internal.runtime;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.Lease;
import java.nio.file.Path;

/**
 * What may find what a job has left in a process or on the disk: jobs that act for the same folder of the same workspace.
 * Scopes share the code of scripts and packages, and nothing else.
 *
 * @param folder empty for jobs that act for no single folder
 */
public record JobScope(String workspace, String folder) {
    public JobScope {
        requireNonNull(workspace, "workspace");
        requireNonNull(folder, "folder");
    }

    /** The scope of a leased job. */
    public static JobScope of(Lease lease) {
        return new JobScope(lease.getWorkspace(), lease.getFolder());
    }

    /** The scope in which runs of this path act. */
    public static JobScope ofPath(String workspace, String path) {
        int end = path.indexOf('/');
        return new JobScope(workspace, end < 0 ? "" : path.substring(0, end));
    }

    /** The directory of this scope below a common one. */
    public Path below(Path common) {
        return common.resolve(FolderName.of(folder.isEmpty() ? workspace : workspace + "/" + folder));
    }
}
