package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Who must show a token, and whom the installation believes who somebody is.
 *
 * @param isTokenRequired whether also callers on the own machine must; others always must
 * @param ownerTokenFile file for the token of the first owner, which the first start writes if tokens are needed
 * @param oidc providers of identities
 */
public record AccessConfig(boolean isTokenRequired, Path ownerTokenFile, OidcConfig oidc) {
    static final Path OWNER_TOKEN_FILE_DEFAULT = Path.of("millrace-owner-token");

    public AccessConfig {
        requireNonNull(ownerTokenFile, "ownerTokenFile");
        requireNonNull(oidc, "oidc");
    }

    /** Without providers of identities. */
    public AccessConfig(boolean isTokenRequired, Path ownerTokenFile) {
        this(isTokenRequired, ownerTokenFile, OidcConfig.NONE);
    }

    /** With this file for the token of the first owner, unless another was chosen. */
    public AccessConfig withOwnerTokenFileDefault(Path value) {
        return ownerTokenFile.equals(OWNER_TOKEN_FILE_DEFAULT) ? new AccessConfig(isTokenRequired, value, oidc) : this;
    }

    /** With these providers of identities. */
    public AccessConfig withOidc(OidcConfig value) {
        return new AccessConfig(isTokenRequired, ownerTokenFile, value);
    }
}
