package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.config.SecretsConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.runtime.Closing;
import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.secret.external.ExternalSource;
import dev.millrace.scheduler.secret.external.ExternalValues;
import dev.millrace.scheduler.secret.external.SecretFolder;
import dev.millrace.scheduler.secret.key.Keyring;
import dev.millrace.scheduler.secret.key.Keys;
import dev.millrace.scheduler.secret.key.WorkspaceKeyStore;
import dev.millrace.scheduler.secret.key.WorkspaceKeys;
import dev.millrace.scheduler.secret.vault.VaultClient;
import dev.millrace.scheduler.secret.vault.VaultSecrets;
import dev.millrace.scheduler.secret.vault.VaultTransit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The parts that keep secrets: keys, stores, and the activity that encrypts values again. */
public final class SecretParts implements AutoCloseable {
    private final Closing parts;
    private final Secrets secrets;
    private final Keys keys;

    private SecretParts(Closing parts, Secrets secrets, Keys keys) {
        this.parts = parts;
        this.secrets = secrets;
        this.keys = keys;
    }

    /**
     * Starts the parts. Fails if a key that is in use is missing.
     *
     * @param random unpredictable, because a key comes from it
     */
    public static SecretParts start(SecretsConfig config, Database database, IdSource ids, RandomGenerator random) {
        Closing parts = new Closing();
        Map<StoreKind, ExternalSource> sources = new EnumMap<>(StoreKind.class);
        config.folder().ifPresent(folder -> sources.put(StoreKind.FOLDER, new SecretFolder(folder)));
        Optional<VaultClient> vault = config.vault().map(settings -> parts.add(new VaultClient(settings)));
        vault.ifPresent(client -> sources.put(StoreKind.VAULT, new VaultSecrets(client)));
        Optional<VaultTransit> transit = config.vault()
                .flatMap(settings -> settings.transitKey())
                .map(name -> new VaultTransit(vault.orElseThrow(), name));
        WorkspaceKeyStore keyStore = new WorkspaceKeyStore(database);
        Keyring keyring = Keyring.open(config, transit, keyStore, random);
        WorkspaceKeys workspaceKeys = new WorkspaceKeys(keyStore, keyring, ids);
        Keys keys = new Keys(keyStore, keyring, workspaceKeys);
        SecretStore store = new SecretStore(database);
        parts.add(KeyRotation.start(store, workspaceKeys, keys));
        return new SecretParts(parts, new Secrets(store, workspaceKeys, new ExternalValues(sources)), keys);
    }

    public Secrets secrets() {
        return secrets;
    }

    public Keys keys() {
        return keys;
    }

    @Override
    public void close() {
        parts.close();
    }
}
