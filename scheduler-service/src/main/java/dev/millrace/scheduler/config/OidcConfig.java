package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whom the installation believes who somebody is.
 *
 * @param provider logs people in; absent if people log in by tokens only
 * @param exchangeIssuers issuers whose JWTs admins of workspaces may let be exchanged for tokens
 */
public record OidcConfig(Optional<Provider> provider, List<String> exchangeIssuers) {
    static final OidcConfig NONE = new OidcConfig(Optional.empty(), List.of());
    static final String SCOPES_DEFAULT = "openid,profile,email";
    static final String NAME_CLAIM_DEFAULT = "preferred_username";
    static final String GROUPS_CLAIM_DEFAULT = "groups";
    private static final int EXCHANGE_ISSUERS_MAX = 20;
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]");

    public OidcConfig {
        requireNonNull(provider, "provider");
        exchangeIssuers = List.copyOf(exchangeIssuers);
        Expect.that(
                exchangeIssuers.size() <= EXCHANGE_ISSUERS_MAX,
                KnownKeys.OIDC_EXCHANGE_ISSUERS,
                exchangeIssuers.size() + " issuers",
                "at most " + EXCHANGE_ISSUERS_MAX);
        exchangeIssuers.forEach(issuer -> requireIssuer(KnownKeys.OIDC_EXCHANGE_ISSUERS, issuer));
    }

    /**
     * The OpenID Connect provider of the installation, and this installation as its client.
     *
     * @param issuer exactly as in the claim {@code iss} of its tokens
     * @param clientSecretFile file with the secret of the client; absent for a public client
     * @param nameClaim claim with the name of a user
     * @param groupsClaim claim with the groups of a user
     * @param allowedAudiences audiences besides the client that an ID token may have
     */
    public record Provider(
            String issuer,
            String clientId,
            Optional<Path> clientSecretFile,
            List<String> scopes,
            String nameClaim,
            String groupsClaim,
            Set<String> allowedAudiences) {
        public Provider {
            requireIssuer(KnownKeys.OIDC_ISSUER, issuer);
            Expect.that(
                    !clientId.isBlank(), KnownKeys.OIDC_CLIENT_ID, "is missing", "the id of the client at " + issuer);
            clientSecretFile.ifPresent(file -> Expect.that(
                    Files.isReadable(file), KnownKeys.OIDC_CLIENT_SECRET_FILE, file, "a file that this user can read"));
            Expect.that(scopes.contains("openid"), KnownKeys.OIDC_SCOPES, scopes, "openid, and others if needed");
            Expect.that(!nameClaim.isBlank(), KnownKeys.OIDC_NAME_CLAIM, "is empty", "a claim such as email");
            scopes = List.copyOf(scopes);
            allowedAudiences = Set.copyOf(allowedAudiences);
        }
    }

    /** An address that nobody on the network can answer in its place. */
    private static void requireIssuer(String key, String issuer) {
        Expect.that(isIssuer(issuer), key, issuer, "an address such as https://id.example, or http:// on this machine");
    }

    private static boolean isIssuer(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme())
                                    && LOOPBACK.matcher(uri.getHost()).matches()));
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
    }
}
