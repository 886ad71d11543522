package dev.millrace.scheduler.secret.key;

import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.Optional;
import java.util.UUID;

/** The unwrapped keys of workspaces. Blocking and thread-safe; a keyset that was used before costs no call. */
public final class WorkspaceKeys {
    private static final int REMEMBERED_MAX = 1_000;

    private final WorkspaceKeyStore store;
    private final Keyring keyring;
    private final IdSource ids;
    private final BoundedCache<Version, Keyset> unwrapped = new BoundedCache<>(REMEMBERED_MAX);

    private record Version(UUID id, long version) {}

    public WorkspaceKeys(WorkspaceKeyStore store, Keyring keyring, IdSource ids) {
        this.store = store;
        this.keyring = keyring;
        this.ids = ids;
    }

    /** The keys of a workspace as stored; makes them if it has none. */
    public WrappedKeys ensure(Workspace workspace) {
        return store.find(workspace).orElseGet(() -> {
            store.insert(WrappedKeys.first(workspace, Keyset.generate(ids.nextUuid()), keyring.current()));
            return store.find(workspace).orElseThrow();
        });
    }

    /** Unwraps keys. */
    public Keyset open(WrappedKeys keys) {
        return unwrapped
                .find(
                        new Version(keys.id(), keys.version()),
                        _ -> Optional.of(Keyset.unwrap(keys.id(), keys.keyset(), keyring.get(keys.wrappedBy()))))
                .orElseThrow();
    }
}
