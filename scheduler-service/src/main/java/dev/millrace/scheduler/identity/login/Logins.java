package dev.millrace.scheduler.identity.login;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.millrace.scheduler.access.AddressGroup;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.ProviderUser;
import dev.millrace.scheduler.identity.ProviderUsers;
import dev.millrace.scheduler.identity.Tokens;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Logs people in at the provider, with the authorization code flow and PKCE. Blocking and thread-safe. */
public final class Logins {
    /** Time for the login at the provider. */
    private static final Duration VALID_FOR = Duration.ofMinutes(10);

    private static final int ATTEMPTS_MAX = 100;
    private static final int ATTEMPTS_OF_SITE_MAX = 1_000;
    /** Most ends of logins that were never begun. Each costs a look into the database. */
    private static final int MADE_UP_MAX = 100;

    private static final int MADE_UP_OF_SITE_MAX = 1_000;
    private static final Duration ATTEMPTS_PERIOD = Duration.ofMinutes(1);

    private final Optional<Client> client;
    private final LoginAttemptStore store;
    private final ProviderUsers users;
    private final Tokens tokens;
    private final RandomGenerator random;
    private final Attempts begun = new Attempts("logins", ATTEMPTS_MAX, ATTEMPTS_PERIOD);
    private final Attempts begunAtSite = new Attempts("logins", ATTEMPTS_OF_SITE_MAX, ATTEMPTS_PERIOD);

    private final Attempts madeUp = new Attempts("ends of unknown logins", MADE_UP_MAX, ATTEMPTS_PERIOD);
    private final Attempts madeUpAtSite = new Attempts("ends of unknown logins", MADE_UP_OF_SITE_MAX, ATTEMPTS_PERIOD);

    /** @param random unpredictable */
    public Logins(
            Optional<OidcConfig.Provider> provider,
            Database database,
            ProviderUsers users,
            Tokens tokens,
            RandomGenerator random) {
        this.client = provider.map(Client::of);
        this.store = new LoginAttemptStore(database);
        this.users = users;
        this.tokens = tokens;
        this.random = random;
    }

    private record Client(OpenIdIssuer issuer, ProviderClient calls, IdTokens idTokens) {
        static Client of(OidcConfig.Provider config) {
            OpenIdIssuer issuer = new OpenIdIssuer(config.issuer());
            return new Client(issuer, new ProviderClient(config, issuer), new IdTokens(config, issuer));
        }
    }

    /**
     * A login that has begun.
     *
     * @param transaction what the browser must bring back
     */
    record Begun(URI authorizationUrl, OneTimeSecret transaction, Instant expiresAt) {}

    /** What a browser brings back from the provider. */
    record Return(String transaction, String state, String code, String issuer) {}

    /** The end of a login. */
    record Finished(Tokens.Issued session, String returnTo) {}

    /** Issuer of the provider; absent if there is none. */
    Optional<String> issuer() {
        return client.map(known -> known.issuer().id().getValue());
    }

    /** @param address from which the login is begun */
    Begun begin(URI redirectUri, String returnTo, String address) {
        Client provider = provider();
        String site = AddressGroup.siteOf(address);
        begun.countOrRefuse(address);
        begunAtSite.countOrRefuse(site);
        LoginAttempt attempt = new LoginAttempt(new Nonce(), new CodeVerifier(), redirectUri, returnTo);
        OneTimeSecret transaction = OneTimeSecret.make(random);
        OneTimeSecret state = OneTimeSecret.make(random);
        URI authorizationUrl = provider.calls().authorizationUrl(attempt, state.text());
        Instant expiresAt = store.insert(transaction.hash(), state.hash(), attempt, site, VALID_FOR);
        return new Begun(authorizationUrl, transaction, expiresAt);
    }

    /** @param address from which the login is ended */
    Finished finish(Return from, String address) {
        Client provider = provider();
        LoginAttempt attempt = take(from, address);
        provider.calls().requireIssuer(from.issuer());
        ProviderUser user =
                provider.idTokens().validate(provider.calls().exchange(attempt, from.code()), attempt.nonce());
        return new Finished(tokens.ofLogin(users.logIn(user)), attempt.returnTo());
    }

    private LoginAttempt take(Return from, String address) {
        String site = AddressGroup.siteOf(address);
        madeUp.requireFew(address);
        madeUpAtSite.requireFew(site);
        return store.take(OneTimeSecret.hash(from.transaction()), OneTimeSecret.hash(from.state()))
                .orElseThrow(() -> {
                    madeUp.count(address);
                    madeUpAtSite.count(site);
                    return new MillraceException(
                            ErrorCode.LOGIN_FAILED,
                            "This login was not begun in this browser, is finished, or began more than "
                                    + VALID_FOR.toMinutes() + " minutes ago: start it again.");
                });
    }

    private Client provider() {
        return client.orElseThrow(() -> new MillraceException(
                ErrorCode.PROVIDER_NOT_SET,
                "This installation has no OpenID Connect provider: log in by a token, or set millrace.oidc.issuer and"
                        + " millrace.oidc.client-id."));
    }
}
