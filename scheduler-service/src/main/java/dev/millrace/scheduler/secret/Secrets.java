package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.secret.core.ValuePlace;
import dev.millrace.scheduler.secret.external.ExternalValues;
import dev.millrace.scheduler.secret.key.Keyset;
import dev.millrace.scheduler.secret.key.WorkspaceKeys;
import dev.millrace.scheduler.secret.key.WrappedKeys;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sets, lists and deletes secrets, and resolves them for jobs. Blocking and thread-safe. */
public final class Secrets {
    /** How often setting a value is tried again if the keys of the workspace are changed meanwhile. */
    private static final int TRIES_MAX = 5;

    private final SecretStore store;
    private final WorkspaceKeys keys;
    private final ExternalValues external;

    Secrets(SecretStore store, WorkspaceKeys keys, ExternalValues external) {
        this.store = store;
        this.keys = keys;
        this.external = external;
    }

    Secret set(NewSecret secret, Access by) {
        if (secret.store() != StoreKind.LOCAL && !external.has(secret.store())) {
            throw new MillraceException(
                    ErrorCode.KEY_MISSING,
                    "This server has no store of the kind " + secret.store().text() + ": set "
                            + (secret.store() == StoreKind.FOLDER
                                    ? "millrace.secrets.folder."
                                    : "millrace.secrets.vault.address."));
        }
        for (int tried = 0; tried < TRIES_MAX; tried++) {
            switch (trySet(secret, by)) {
                case SecretStore.Setting.Done(Secret set) -> {
                    external.forget(secret.store(), secret.workspace(), secret.path());
                    return set;
                }
                case SecretStore.Setting.Exists() ->
                    throw new MillraceException(
                            ErrorCode.NAME_TAKEN,
                            "The secret " + secret.path() + " exists in workspace " + secret.workspace()
                                    + ": set it without create_only to give it a new value.");
                case SecretStore.Setting.Full() ->
                    throw new MillraceException(
                            ErrorCode.TOO_MANY,
                            "Workspace " + secret.workspace() + " has " + SecretStore.SECRETS_MAX
                                    + " secrets, as many as it may have: delete some first.");
                case SecretStore.Setting.KeysChanged() -> {}
            }
        }
        throw new MillraceException(
                ErrorCode.SECRET_STORE_UNAVAILABLE,
                "The keys of workspace " + secret.workspace() + " are being rotated: set the secret again.");
    }

    private SecretStore.Setting trySet(NewSecret secret, Access by) {
        if (secret.value().isEmpty()) {
            return store.set(secret, by.name());
        }
        WrappedKeys wrapped = keys.ensure(secret.workspace());
        return store.set(secret, secret.value().get(), wrapped, keys.open(wrapped), by.name());
    }

    /**
     * Sets the value of a secret in the local store. What describes the secret stays.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if another store holds its value
     */
    public void setValue(Workspace workspace, String path, SecretValue value, Access by) {
        Optional<Secret> before = store.find(workspace, path);
        before.map(Secret::store).filter(kind -> kind != StoreKind.LOCAL).ifPresent(kind -> {
            throw new MillraceException(
                    ErrorCode.SECRET_UNAVAILABLE,
                    "The value of the secret " + path + " is in the store " + kind.text() + ": set it there.");
        });
        String description = before.map(Secret::description).orElse("");
        set(new NewSecret(workspace, path, StoreKind.LOCAL, Optional.of(value), description, false), by);
    }

    /** Lists the secrets that the caller may see. */
    PageRequest.Page<Secret> list(Workspace workspace, Access access, PageRequest page) {
        return page.of(
                limit -> store.list(workspace, access.visibleFolders(workspace), page.after(), limit), Secret::path);
    }

    /** Deletes a secret. Fails with {@link ErrorCode#IN_USE} if something refers to it, unless forced. */
    Secret delete(Workspace workspace, String path, boolean force) {
        Secret deleted = store.delete(workspace, path, force)
                .orElseThrow(() -> missing(ErrorCode.SECRET_NOT_FOUND, workspace, path));
        if (!deleted.users().isEmpty() && !force) {
            throw new MillraceException(
                    ErrorCode.IN_USE,
                    "The secret " + path + " is used by " + deleted.users().clause()
                            + ". Change those first, or delete it anyway with force: what needs it then fails.");
        }
        external.forget(deleted.store(), workspace, path);
        return deleted;
    }

    /**
     * The values of secrets, by path. The caller must have found the paths in the definition of a step.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if one of them has no usable value, and with
     *     {@link ErrorCode#SECRET_STORE_UNAVAILABLE} if a store does not answer
     */
    public Map<String, SecretValue> resolve(Workspace workspace, Collection<String> paths) {
        Map<String, SecretValue> values = new HashMap<>();
        for (SecretStore.Stored stored :
                paths.isEmpty() ? List.<SecretStore.Stored>of() : store.sealed(workspace, paths)) {
            values.put(stored.path(), value(workspace, stored));
        }
        paths.stream().filter(path -> !values.containsKey(path)).findFirst().ifPresent(missing -> {
            throw missing(ErrorCode.SECRET_UNAVAILABLE, workspace, missing);
        });
        return values;
    }

    /** The refusal for a path without a secret, with the command that sets it. */
    private static MillraceException missing(ErrorCode code, Workspace workspace, String path) {
        String option = workspace.equals(Workspace.DEFAULT) ? "" : " --workspace " + workspace;
        return new MillraceException(
                code,
                "There is no secret " + path + " in workspace " + workspace + ": set it with millrace secrets set "
                        + path + option + ", then try again.");
    }

    /**
     * The value of one secret. The caller must have checked that it may be read.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_NOT_FOUND} if there is none; otherwise as {@link #resolve}
     */
    public SecretValue value(Workspace workspace, String path) {
        return store.sealed(workspace, List.of(path)).stream()
                .findFirst()
                .map(stored -> value(workspace, stored))
                .orElseThrow(() -> missing(ErrorCode.SECRET_NOT_FOUND, workspace, path));
    }

    private SecretValue value(Workspace workspace, SecretStore.Stored stored) {
        if (stored.sealed().isPresent()) {
            SecretStore.Sealed sealed = stored.sealed().get();
            Keyset opened = keys.open(sealed.keys());
            return opened.open(sealed.value(), new ValuePlace(opened.id(), stored.path(), stored.version()));
        }
        Optional<String> found = external.find(stored.store(), workspace, stored.path());
        String problem = found.isEmpty()
                ? "is not there"
                : SecretValue.problem(found.get()).orElse("");
        if (!problem.isEmpty()) {
            throw new MillraceException(
                    ErrorCode.SECRET_UNAVAILABLE,
                    "The value of the secret " + stored.path() + " in the store "
                            + stored.store().text() + " " + problem + ".");
        }
        return new SecretValue(found.orElseThrow());
    }
}
