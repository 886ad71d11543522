package dev.millrace.scheduler.secret;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.StoreKind;
import java.util.Optional;

/**
 * A secret to set.
 *
 * @param value present for a secret of the local store, and only for it
 * @param isCreated whether the secret must not exist yet
 */
record NewSecret(
        Workspace workspace,
        String path,
        StoreKind store,
        Optional<SecretValue> value,
        String description,
        boolean isCreated) {
    NewSecret {
        requireNonNull(workspace, "workspace");
        requireNonNull(path, "path");
        requireNonNull(store, "store");
        requireNonNull(description, "description");
        if (value.isPresent() != (store == StoreKind.LOCAL)) {
            throw new IllegalArgumentException("a value for the store " + store.text());
        }
    }
}
