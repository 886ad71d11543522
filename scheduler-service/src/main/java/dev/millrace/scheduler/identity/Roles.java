package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.List;
import java.util.Optional;

/** Grants, revokes and lists roles. Blocking and thread-safe. */
public final class Roles {
    private final Database database;
    private final RoleStore store;
    private final PrincipalStore principals;
    private final EventBus bus;

    public Roles(Database database, EventBus bus) {
        this.database = database;
        this.store = new RoleStore(database);
        this.principals = new PrincipalStore(database);
        this.bus = bus;
    }

    /** Grants a role. Fails with {@link ErrorCode#PRINCIPAL_NOT_FOUND} if there is no such user or service account. */
    RoleBinding grant(RoleBinding binding, Access by) {
        Subject subject = binding.subject();
        boolean isKnown = subject.kind() == Subject.Kind.GROUP
                || principals
                        .find(subject, subject.kind() == Subject.Kind.USER ? Optional.empty() : binding.workspace())
                        .isPresent();
        if (!isKnown) {
            throw Principals.notFound(subject);
        }
        if (!store.grant(binding, by.name())) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "A workspace may have " + RoleStore.ROLES_MAX + " roles, and each user, service account or group "
                            + RoleStore.ROLES_OF_SUBJECT_MAX + " of them: revoke some first, or grant a role in the"
                            + " whole workspace.");
        }
        bus.publish(new RightsChanged());
        return binding;
    }

    /** Takes a role away. Fails with {@link ErrorCode#LAST_OWNER} if nobody would own the installation. */
    RoleBinding revoke(Optional<Workspace> workspace, String folder, Subject subject) {
        RoleBinding revoked = database.transaction(dsl -> {
                    RoleStore.lockOwners(dsl);
                    Optional<RoleBinding> gone = RoleStore.revoke(dsl, workspace, folder, subject);
                    if (workspace.isEmpty() && gone.isPresent() && !RoleStore.hasOwner(dsl)) {
                        throw lastOwner(subject);
                    }
                    return gone;
                })
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.ROLE_NOT_FOUND,
                        subject + " has no role of its own"
                                + (folder.isEmpty() ? "" : " in folder " + folder)
                                + workspace
                                        .map(owner -> " in workspace " + owner)
                                        .orElse(" in the installation")
                                + "."));
        bus.publish(new RightsChanged());
        return revoked;
    }

    PageRequest.Page<RoleBinding> list(Optional<Workspace> workspace, PageRequest page) {
        String[] after = page.after().split("\n", 2);
        return page.of(
                limit -> store.list(workspace, after[0], after.length < 2 ? "" : after[1], limit), RoleBinding::key);
    }

    /** The roles of a principal and its groups. */
    List<RoleBinding> of(Principal principal) {
        return store.of(principal);
    }

    static MillraceException lastOwner(Subject subject) {
        return new MillraceException(
                ErrorCode.LAST_OWNER,
                subject + " is the last owner of the installation: make somebody else owner first.");
    }
}
