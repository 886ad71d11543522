package dev.millrace.scheduler.secret.key;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.Ciphertext;
import java.util.UUID;

/**
 * The keys of a workspace as stored.
 *
 * @param keyset wrapped by the key-encryption key {@code wrappedBy}
 * @param version raised by each change
 * @param count number of the keys
 */
public record WrappedKeys(
        Workspace workspace, UUID id, Ciphertext keyset, String wrappedBy, long version, long dataKey, int count) {
    public WrappedKeys {
        requireNonNull(workspace, "workspace");
        requireNonNull(id, "id");
        requireNonNull(keyset, "keyset");
        requireNonNull(wrappedBy, "wrappedBy");
    }

    /** The same keys after a change. */
    WrappedKeys changed(Keyset keys, WrappingKey by) {
        return new WrappedKeys(workspace, id, keys.wrap(by), by.id(), version + 1, keys.dataKey(), keys.size());
    }

    static WrappedKeys first(Workspace workspace, Keyset keys, WrappingKey by) {
        return new WrappedKeys(workspace, keys.id(), keys.wrap(by), by.id(), 1, keys.dataKey(), keys.size());
    }
}
