package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.IssuedTokens;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides what a trigger may start: what whoever created or last changed it may start now, at most with the role
 * developer. Blocking and thread-safe.
 */
public final class TriggerRights {
    private final WorkspaceGate workspaces;
    private final IssuedTokens tokens;
    private final boolean trustsLocalCallers;

    /** @param trustsLocalCallers whether callers on the machine of the server need no token now */
    public TriggerRights(Database database, WorkspaceGate workspaces, boolean trustsLocalCallers) {
        this.workspaces = requireNonNull(workspaces, "workspaces");
        this.tokens = new IssuedTokens(database);
        this.trustsLocalCallers = trustsLocalCallers;
    }

    /** What the token gives now; empty if it gives nothing any more. Also for triggers of callers without a token. */
    Optional<Access> read(Optional<UUID> credential) {
        return credential.isPresent()
                ? tokens.find(credential.get())
                : Optional.of(Access.LOCAL).filter(_ -> trustsLocalCallers);
    }

    /** The rights of a trigger in its workspace now. Fails as {@link #of(Trigger, Optional)} does. */
    public Access of(Trigger trigger) {
        return of(trigger, read(trigger.credential()));
    }

    /**
     * The rights of something that acts for whoever wrote it. Fails as {@link #of(Trigger, Optional)} does.
     *
     * @param what kind and path, for the message
     */
    public Access of(Workspace workspace, String what, String actor, Optional<UUID> credential) {
        return of(workspace, what, actor, credential, read(credential));
    }

    /**
     * The rights of a trigger in its workspace.
     *
     * @param read what {@link #read} has returned for its token
     * @throws MillraceException with {@link ErrorCode#PERMISSION_DENIED} if nothing is left of them, and if the
     *     workspace accepts no work
     */
    Access of(Trigger trigger, Optional<Access> read) {
        return of(
                trigger.key().workspace(),
                trigger.key().kind().text() + " " + trigger.key().path(),
                trigger.actor(),
                trigger.credential(),
                read);
    }

    private Access of(
            Workspace workspace, String what, String actor, Optional<UUID> credential, Optional<Access> read) {
        Access found = read.orElseThrow(() -> new MillraceException(
                ErrorCode.PERMISSION_DENIED,
                "The " + what + " acts for " + actor
                        + (credential.isPresent()
                                ? ", whose account is disabled or whose token named `triggers` was revoked"
                                : ", who had no token, and the server wants one of everybody now")
                        + ": let somebody with the role developer write it again."));
        Access by = new Access(found.caller(), found.rights().cut(workspace, Role.DEVELOPER), found.worker());
        workspaces.require(workspace, false, by);
        return by;
    }
}
