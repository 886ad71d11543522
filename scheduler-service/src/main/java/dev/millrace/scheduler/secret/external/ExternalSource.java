package dev.millrace.scheduler.secret.external;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** A program or folder that holds values of secrets. Calls may block. */
@FunctionalInterface
public interface ExternalSource {
    /**
     * The value of a path; empty if there is none. A place follows from workspace and path alone, so nobody can refer to
     * the values of another workspace or folder.
     */
    Optional<String> find(Workspace workspace, String path);
}
