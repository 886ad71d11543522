package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Who must show a token.
 *
 * @param isTokenRequired whether also callers on the own machine must; others always must
 * @param ownerTokenFile file for the token of the first owner, which the first start writes if tokens are needed
 */
public record AccessConfig(boolean isTokenRequired, Path ownerTokenFile) {
    static final Path OWNER_TOKEN_FILE_DEFAULT = Path.of("millrace-owner-token");

    public AccessConfig {
        requireNonNull(ownerTokenFile, "ownerTokenFile");
    }
}
