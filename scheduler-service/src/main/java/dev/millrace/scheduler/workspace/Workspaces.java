package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.workspace.core.KnownWorkspace;
import dev.millrace.scheduler.workspace.core.WorkspaceState;
import java.util.Comparator;
import java.util.Optional;

/** Creates, lists and changes workspaces. Blocking and thread-safe. */
public final class Workspaces {
    /** Maximum number of workspaces of an installation: every scheduler remembers all of them. */
    private static final int WORKSPACES_MAX = 10_000;
    /** Maximum number of names that a workspace has or had. */
    private static final int NAMES_MAX = 20;

    private final WorkspaceStore store;
    private final WorkspaceDirectory directory;
    private final Runnable deletionBegun;

    /** @param deletionBegun called when a workspace is to be deleted */
    public Workspaces(Database database, WorkspaceDirectory directory, Runnable deletionBegun) {
        this.store = new WorkspaceStore(database);
        this.directory = directory;
        this.deletionBegun = deletionBegun;
    }

    /** Creates a workspace. Fails with {@link ErrorCode#NAME_TAKEN} if another one has or had the name. */
    KnownWorkspace create(String name, String description, boolean isIsolated, String by) {
        WorkspaceStore.Created created = store.create(name, description, isIsolated, by, WORKSPACES_MAX);
        if (created.isTaken()) {
            throw taken(name);
        }
        if (created.isOneTooMany()) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY_WORKSPACES,
                    "The installation has " + WORKSPACES_MAX
                            + " workspaces, which is the maximum: delete one that nobody needs.");
        }
        directory.changed();
        return directory.known().named(name).orElseThrow(() -> gone(name));
    }

    KnownWorkspace get(Workspace key) {
        return store.find(key).orElseThrow(() -> gone(key.name()));
    }

    /** The workspaces in which the caller has a role, in the order of their names. */
    PageRequest.Page<KnownWorkspace> list(Access access, PageRequest page) {
        directory.read();
        return page.of(
                limit -> directory.known().all().stream()
                        .filter(each -> each.name().compareTo(page.after()) > 0)
                        .filter(each -> access.rights().allowsAnyFolder(Role.VIEWER, each.key()))
                        .sorted(Comparator.comparing(KnownWorkspace::name))
                        .limit(limit)
                        .toList(),
                KnownWorkspace::name);
    }

    /** Changes what is present. */
    KnownWorkspace update(Workspace key, Optional<String> description, Optional<Boolean> isIsolated) {
        store.update(key, description, isIsolated, JobMoves.MOVING);
        return changed(key);
    }

    /** Gives the workspace another name. Fails with {@link ErrorCode#NAME_TAKEN} if another one has or had it. */
    KnownWorkspace rename(Workspace key, String name) {
        requireNotDefault(key, "renamed, because requests without a workspace mean it");
        return switch (store.rename(key, name, NAMES_MAX)) {
            case DONE -> changed(key);
            case NOT_FOUND -> throw gone(key.name());
            case TAKEN -> throw taken(name);
            case ONE_TOO_MANY ->
                throw unsuitable("Workspace " + directory.nameOf(key.name()) + " has had " + NAMES_MAX
                        + " names, which is the maximum: give it one of them again.");
        };
    }

    KnownWorkspace archive(Workspace key) {
        requireNotDefault(key, "archived, because requests without a workspace mean it");
        requireNotDeleting(key);
        store.archive(key);
        return changed(key);
    }

    KnownWorkspace restore(Workspace key) {
        requireNotDeleting(key);
        store.restore(key);
        return changed(key);
    }

    /** Begins to delete an archived workspace. With {@code force}, its runs are canceled first. */
    KnownWorkspace delete(Workspace key, boolean force) {
        KnownWorkspace before = get(key);
        if (before.state() == WorkspaceState.ACTIVE) {
            throw unsuitable("Workspace " + before.name()
                    + " is not archived: archive it with `millrace workspaces archive " + before.name()
                    + "`, and delete it once nobody has missed it.");
        }
        if (before.state() == WorkspaceState.ARCHIVED) {
            int runs = store.beginDeletion(key, force);
            if (runs > 0) {
                throw unsuitable(
                        "Workspace " + before.name() + " has runs in progress (" + runs
                                + "): wait for their end, cancel them, or delete the workspace with `force`, which cancels them.");
            }
        }
        KnownWorkspace deleting = changed(key);
        deletionBegun.run();
        return deleting;
    }

    private KnownWorkspace changed(Workspace key) {
        directory.changed();
        return get(key);
    }

    private static void requireNotDefault(Workspace key, String reason) {
        if (key.equals(Workspace.DEFAULT)) {
            throw unsuitable("Workspace default cannot be " + reason + ".");
        }
    }

    private void requireNotDeleting(Workspace key) {
        KnownWorkspace before = get(key);
        if (before.state() == WorkspaceState.DELETING) {
            throw unsuitable("Workspace " + before.name() + " is being deleted, which cannot be undone.");
        }
    }

    private static MillraceException taken(String name) {
        return new MillraceException(
                ErrorCode.NAME_TAKEN,
                "A workspace has or had the name " + name
                        + ", and requests may still use it: choose another name. Names are free again once their"
                        + " workspace has been deleted.");
    }

    private static MillraceException gone(String name) {
        return new MillraceException(ErrorCode.WORKSPACE_NOT_FOUND, "There is no workspace " + name + ".");
    }

    private static MillraceException unsuitable(String message) {
        return new MillraceException(ErrorCode.WORKSPACE_STATE_UNSUITABLE, message);
    }
}
