package dev.millrace.scheduler.secret.key;

import dev.millrace.scheduler.config.SecretsConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.secret.vault.VaultTransit;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key-encryption keys of this server. The current one is the transit key of Vault if there is one, else the last of
 * the files. Thread-safe.
 */
public final class Keyring {
    private static final Logger log = LoggerFactory.getLogger(Keyring.class);
    private static final int KEY_BYTES = 32;

    private final Path place;
    private final Optional<VaultTransit> transit;
    private final WorkspaceKeyStore store;
    private final RandomGenerator random;
    private volatile SortedMap<String, WrappingKey> files;

    private Keyring(
            SecretsConfig config, Optional<VaultTransit> transit, WorkspaceKeyStore store, RandomGenerator random) {
        this.place = config.keyFile().toAbsolutePath();
        this.transit = transit;
        this.store = store;
        this.random = random;
        this.files = read(place);
    }

    /**
     * Reads the keys. Fails with {@link ErrorCode#INVALID_CONFIG} if one that is in use is missing.
     *
     * @param random unpredictable, because a key comes from it
     */
    public static Keyring open(
            SecretsConfig config, Optional<VaultTransit> transit, WorkspaceKeyStore store, RandomGenerator random) {
        Keyring keyring = new Keyring(config, transit, store, random);
        keyring.problem(keyring.files).ifPresent(problem -> {
            throw new MillraceException(ErrorCode.INVALID_CONFIG, problem);
        });
        return keyring;
    }

    /** Reads the keys again. Keeps those that it has, and fails, if one that is in use is missing. */
    void reload() {
        SortedMap<String, WrappingKey> present = read(place);
        problem(present).ifPresent(problem -> {
            throw new MillraceException(ErrorCode.KEY_MISSING, problem);
        });
        files = present;
    }

    /** The key that wraps from now on. Makes the first one if the installation has none. */
    WrappingKey current() {
        Optional<WrappingKey> known = findCurrent();
        if (known.isEmpty()) {
            makeFirst();
        }
        WrappingKey current = findCurrent()
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.KEY_MISSING,
                        "This server has no key-encryption key, but the installation has one: copy it to " + place
                                + ", or set millrace.secrets.key-file to where it is."));
        store.register(current);
        return current;
    }

    Optional<WrappingKey> findCurrent() {
        return transit.map(Keyring::ofVault).or(() -> lastOf(files));
    }

    /** The key with this id. Reads the files again if it is not there, because it may be new. */
    WrappingKey get(String id) {
        return find(id).or(() -> {
                    files = read(place);
                    return find(id);
                })
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.KEY_MISSING,
                        "This server does not have the key-encryption key " + id + ": put it into " + place + "."));
    }

    Optional<WrappingKey> find(String id) {
        return Optional.ofNullable(files.get(id))
                .or(() -> transit.map(Keyring::ofVault).filter(key -> key.id().equals(id)));
    }

    Collection<String> ids() {
        return transit.map(Keyring::ofVault)
                .map(key -> Stream.concat(files.keySet().stream(), Stream.of(key.id()))
                        .toList())
                .orElseGet(() -> List.copyOf(files.keySet()));
    }

    private void makeFirst() {
        store.makeFirst(known -> {
            files = read(place);
            if (!files.isEmpty() || !known.isEmpty()) {
                return Optional.empty();
            }
            byte[] bytes = new byte[KEY_BYTES];
            random.nextBytes(bytes);
            Path file = KeyFiles.create(place, "0001", bytes);
            log.atInfo()
                    .addKeyValue("file", file)
                    .log("The file holds the key that protects all secrets: back it up apart from the database, and"
                            + " give it to all schedulers");
            files = read(place);
            return lastOf(files);
        });
    }

    /** Why these keys do not suffice; empty if they do. */
    private Optional<String> problem(Map<String, WrappingKey> present) {
        for (WorkspaceKeyStore.Use use : store.uses()) {
            WrappingKey key = present.get(use.id());
            boolean isOfVault = use.id().startsWith(VaultTransit.ID_START);
            if (key == null
                    && use.workspaces() > 0
                    && (!isOfVault || find(use.id()).isEmpty())) {
                return Optional.of("The key-encryption key " + use.id() + " is missing, and the secrets of "
                        + use.workspaces() + " workspaces need it (one is " + use.example() + "): "
                        + (isOfVault
                                ? "set millrace.secrets.vault.transit-key to it."
                                : "put its file back into " + place
                                        + ", or set millrace.secrets.key-file to where it is."));
            }
            if (key != null && !key.made(use.proof())) {
                return Optional.of("The key-encryption key " + use.id() + " in " + place
                        + " is not the one that this installation uses under this id: restore that one, and give a new"
                        + " key a new name.");
            }
        }
        return Optional.empty();
    }

    private static SortedMap<String, WrappingKey> read(Path place) {
        SortedMap<String, WrappingKey> keys = new TreeMap<>();
        KeyFiles.read(place).forEach(key -> keys.put(key.id(), key));
        return keys;
    }

    private static Optional<WrappingKey> lastOf(SortedMap<String, WrappingKey> keys) {
        return keys.values().stream().reduce((_, last) -> last);
    }

    private static WrappingKey ofVault(VaultTransit transit) {
        return new WrappingKey(transit.id(), transit);
    }
}
