package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where secrets and their keys come from.
 *
 * @param keyFile the key-encryption key, or a folder of such keys; made with the first secret if it is missing
 * @param folder values that a tool mounts as files; absent for none
 * @param vault a server of Vault or OpenBao; absent for none
 */
public record SecretsConfig(Path keyFile, Optional<Path> folder, Optional<VaultConfig> vault) {
    static final Path KEY_FILE_DEFAULT = Path.of("millrace-keys");

    public SecretsConfig {
        requireNonNull(keyFile, "keyFile");
        requireNonNull(folder, "folder");
        requireNonNull(vault, "vault");
    }

    /** With this place for keys, unless the settings name another than the default. */
    public SecretsConfig withKeyFileDefault(Path value) {
        return keyFile.equals(KEY_FILE_DEFAULT) ? new SecretsConfig(value, folder, vault) : this;
    }
}
