package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A server of Vault or OpenBao.
 *
 * @param address such as {@code https://vault.example:8200}
 * @param tokenFile file with the token of this server, read for each request, so that an agent may renew it
 * @param namespace empty for none
 * @param mount path of the key-value engine, version 2
 * @param prefix path within the engine below which the workspaces lie
 * @param transitMount path of the transit engine
 * @param transitKey name of the transit key that wraps the keys of workspaces; absent to use the key files
 */
public record VaultConfig(
        URI address,
        Path tokenFile,
        String namespace,
        String mount,
        String prefix,
        String transitMount,
        Optional<String> transitKey) {
    static final Path TOKEN_FILE_DEFAULT = Path.of("millrace-vault-token");
    static final String MOUNT_DEFAULT = "secret";
    static final String PREFIX_DEFAULT = "millrace";
    static final String TRANSIT_MOUNT_DEFAULT = "transit";

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");
    private static final String PATH_EXPECTED = "letters, digits, '_' and '-', in parts separated by '/'";

    public VaultConfig {
        requireNonNull(address, "address");
        requireNonNull(tokenFile, "tokenFile");
        requireNonNull(namespace, "namespace");
        Expect.that(
                isConfidential(address),
                KnownKeys.VAULT_ADDRESS,
                address,
                "an https URL, or an http URL of a loopback address, because the token and the secrets pass through it");
        Expect.that(PATH.matcher(mount).matches(), KnownKeys.VAULT_MOUNT, mount, PATH_EXPECTED);
        Expect.that(PATH.matcher(prefix).matches(), KnownKeys.VAULT_PREFIX, prefix, PATH_EXPECTED);
        Expect.that(PATH.matcher(transitMount).matches(), KnownKeys.VAULT_TRANSIT_MOUNT, transitMount, PATH_EXPECTED);
        transitKey.ifPresent(name -> Expect.that(
                PATH.matcher(name).matches() && name.indexOf('/') < 0,
                KnownKeys.VAULT_TRANSIT_KEY,
                name,
                "letters, digits, '_' and '-'"));
    }

    private static boolean isConfidential(URI address) {
        return address.getHost() != null
                && ("https".equals(address.getScheme())
                        || ("http".equals(address.getScheme()) && LOOPBACK.contains(address.getHost())));
    }
}
