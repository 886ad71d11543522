package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.runtime.EventBus;

/**
 * Creates users at their first login and takes over their groups at each. A user is known by the issuer and the subject
 * alone: a name that somebody else has here is never taken over, because providers let people choose names. Blocking and
 * thread-safe.
 */
public final class ProviderUsers {
    private final PrincipalStore store;
    private final EventBus bus;
    private final IdSource ids;

    public ProviderUsers(Database database, EventBus bus, IdSource ids) {
        this.store = new PrincipalStore(database);
        this.bus = bus;
        this.ids = ids;
    }

    /** The user who has logged in. Fails with {@link ErrorCode#PERMISSION_DENIED} if the user is disabled. */
    public Principal logIn(ProviderUser user) {
        Principal known = store.find(user)
                .or(() -> store.insert(ids.nextUuid(), user))
                // Another login of the same user may have come first.
                .or(() -> store.find(user))
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.PERMISSION_DENIED,
                        "The name " + user.name()
                                + " belongs to another user of this installation, who does not log in by this account of "
                                + user.issuer() + ": change the name at the provider, or ask an owner."));
        if (known.disabledAt().isPresent()) {
            throw new MillraceException(
                    ErrorCode.PERMISSION_DENIED,
                    "The user " + known.name() + " is disabled: ask an owner of the installation.");
        }
        if (known.groups().equals(user.groups())) {
            return known;
        }
        Principal changed = store.setGroups(known.id(), user.groups());
        bus.publish(new RightsChanged());
        return changed;
    }
}
