package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.Optional;
import java.util.UUID;

/** Creates, lists and changes users and service accounts. Blocking and thread-safe. */
public final class Principals {
    private final Database database;
    private final PrincipalStore store;
    private final EventBus bus;
    private final IdSource ids;

    public Principals(Database database, EventBus bus, IdSource ids) {
        this.database = database;
        this.store = new PrincipalStore(database);
        this.bus = bus;
        this.ids = ids;
    }

    /** @param workspace of a service account; absent for a user */
    Principal create(Subject subject, Optional<Workspace> workspace) {
        return store.insert(ids.nextUuid(), subject, workspace)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.NAME_TAKEN,
                        "There is a " + subject
                                + " already. Names are not given twice, even after their owner is disabled."));
    }

    PageRequest.Page<Principal> list(Subject.Kind kind, Optional<Workspace> workspace, PageRequest page) {
        return page.of(limit -> store.list(kind, workspace, page.after(), limit), Principal::name);
    }

    public Principal find(Subject subject, Optional<Workspace> workspace) {
        return store.find(subject, workspace).orElseThrow(() -> notFound(subject));
    }

    Optional<Principal> find(UUID id) {
        return store.find(id);
    }

    /** What is absent stays as it is. */
    Principal update(
            Subject subject, Optional<Workspace> workspace, Optional<Boolean> mayActAs, Optional<Boolean> isDisabled) {
        Principal updated = database.transaction(dsl -> {
                    RoleStore.lockOwners(dsl);
                    boolean hadOwner = RoleStore.hasOwner(dsl);
                    Optional<Principal> changed = PrincipalStore.update(dsl, subject, workspace, mayActAs, isDisabled);
                    if (hadOwner && !RoleStore.hasOwner(dsl)) {
                        throw Roles.lastOwner(subject);
                    }
                    return changed;
                })
                .orElseThrow(() -> notFound(subject));
        bus.publish(new RightsChanged());
        return updated;
    }

    static MillraceException notFound(Subject subject) {
        return new MillraceException(ErrorCode.PRINCIPAL_NOT_FOUND, "There is no " + subject + ".");
    }
}
