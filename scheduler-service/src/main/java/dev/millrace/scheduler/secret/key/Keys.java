package dev.millrace.scheduler.secret.key;

import dev.millrace.scheduler.error.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Lists and rotates keys. Blocking and thread-safe. */
public final class Keys {
    private static final int PAGE = 100;

    private final WorkspaceKeyStore store;
    private final Keyring keyring;
    private final WorkspaceKeys workspaceKeys;
    private volatile Runnable whenRotated = () -> {};

    public Keys(WorkspaceKeyStore store, Keyring keyring, WorkspaceKeys workspaceKeys) {
        this.store = store;
        this.keyring = keyring;
        this.workspaceKeys = workspaceKeys;
    }

    /**
     * A key-encryption key.
     *
     * @param isAvailable whether this server has it
     * @param workspaces number of workspaces whose keys it wraps
     * @param since when a server used it first; absent if none has
     */
    public record KeyInUse(
            String id, boolean isCurrent, boolean isAvailable, long workspaces, Optional<Instant> since) {}

    /** The keys of this server and those that are in use, in the order of their ids. */
    public List<KeyInUse> list() {
        String current = keyring.findCurrent().map(WrappingKey::id).orElse("");
        TreeMap<String, KeyInUse> keys = new TreeMap<>();
        keyring.ids().forEach(id -> keys.put(id, new KeyInUse(id, id.equals(current), true, 0, Optional.empty())));
        for (WorkspaceKeyStore.Use use : store.uses()) {
            keys.put(
                    use.id(),
                    new KeyInUse(
                            use.id(),
                            use.id().equals(current),
                            keyring.find(use.id()).isPresent(),
                            use.workspaces(),
                            Optional.of(use.since())));
        }
        return List.copyOf(keys.values());
    }

    /** Number of values that are still encrypted with a former key of their workspace. */
    public long countWaiting() {
        return store.countWaiting();
    }

    /** The result of a rotation: the current key, and how many workspaces were wrapped again. */
    public record Rotated(String key, long workspaces) {}

    /**
     * Wraps the keys of all workspaces with the current key-encryption key. Fails with {@link ErrorCode#KEY_MISSING} if
     * one that is in use is missing.
     *
     * @param data whether each workspace also gets a new key, unless it still has an old one from a rotation before
     */
    public Rotated rotate(boolean data) {
        keyring.reload();
        WrappingKey current = keyring.current();
        long rotated = 0;
        String after = "";
        List<WrappedKeys> page = new ArrayList<>();
        do {
            page = store.list(after, PAGE);
            for (WrappedKeys wrapped : page) {
                rotated += rotate(wrapped, current, data) ? 1 : 0;
                after = wrapped.workspace().name();
            }
        } while (page.size() == PAGE);
        whenRotated.run();
        return new Rotated(current.id(), rotated);
    }

    /** Keys that somebody changes at the same moment are left: whoever it is wraps them with the current key as well. */
    private boolean rotate(WrappedKeys wrapped, WrappingKey current, boolean data) {
        boolean isNew = data && wrapped.count() == 1;
        if (!isNew && wrapped.wrappedBy().equals(current.id())) {
            return false;
        }
        Keyset keys = workspaceKeys.open(wrapped);
        return store.replace(wrapped.changed(isNew ? keys.withNewKey() : keys, current));
    }

    /** Calls this after each rotation. */
    public void whenRotated(Runnable action) {
        whenRotated = action;
    }

    /** Keys whose values are to be encrypted again, or that hold keys that no value needs. */
    public List<WrappedKeys> rotating() {
        return store.rotating();
    }

    /** Removes all keys but the newest, unless a value needs one of them. Returns whether it did. */
    public boolean removeOld(WrappedKeys wrapped) {
        return store.replaceByFewer(
                wrapped.changed(workspaceKeys.open(wrapped).withoutOldKeys(), keyring.get(wrapped.wrappedBy())));
    }
}
