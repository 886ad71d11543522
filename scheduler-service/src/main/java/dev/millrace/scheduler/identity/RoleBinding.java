package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/**
 * A role that a subject has in one place.
 *
 * @param workspace absent for an owner of the installation
 * @param folder empty for the whole workspace
 */
record RoleBinding(Optional<Workspace> workspace, String folder, Subject subject, Role role) {
    /** The role of an owner. */
    static RoleBinding ofOwner(Subject subject) {
        return new RoleBinding(Optional.empty(), Folder.NONE, subject, Role.OWNER);
    }

    /** The key by which lists continue. No folder contains a line feed. */
    String key() {
        return folder + "\n" + subject;
    }
}
