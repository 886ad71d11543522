package dev.millrace.scheduler.identity.login;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An issuer of JWTs: what it says of itself, and its keys. Both are fetched on first use and kept. A JWT with an unknown
 * key makes the keys be fetched again, but not more often than {@link #KEYS_INTERVAL_MIN}. While the issuer does not
 * answer, what is known of it is used. Blocking and thread-safe.
 */
final class OpenIdIssuer {
    static final int CONNECT_TIMEOUT_MILLIS = 3_000;
    static final int READ_TIMEOUT_MILLIS = 5_000;
    /** Largest answer of an issuer. */
    static final int ANSWER_BYTES_MAX = 512 << 10;

    private static final Duration METADATA_KEPT = Duration.ofHours(1);
    /** For this time nobody asks an issuer again that has not answered. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private static final Duration KEYS_KEPT = Duration.ofMinutes(15);
    private static final Duration KEYS_INTERVAL_MIN = Duration.ofSeconds(10);
    private static final Duration KEYS_REFRESH_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration KEYS_KEPT_IN_OUTAGE = Duration.ofHours(4);
    private static final Logger log = LoggerFactory.getLogger(OpenIdIssuer.class);

    private final Issuer issuer;
    private final DefaultResourceRetriever retriever =
            new DefaultResourceRetriever(CONNECT_TIMEOUT_MILLIS, READ_TIMEOUT_MILLIS, ANSWER_BYTES_MAX);

    private @Nullable Known known;
    private long askedAtNanos;
    private boolean hasFailed;

    OpenIdIssuer(String issuer) {
        this.issuer = new Issuer(issuer);
    }

    /** What an issuer says of itself, and its keys. */
    record Known(OIDCProviderMetadata metadata, JWKSource<SecurityContext> keys) {}

    Issuer id() {
        return issuer;
    }

    /** What is known of the issuer. Fails with {@link ErrorCode#PROVIDER_UNAVAILABLE} if that is nothing. */
    synchronized Known known() {
        if (!isFresh()) {
            askedAtNanos = System.nanoTime();
            try {
                known = fetch();
                hasFailed = false;
            } catch (IOException | GeneralException | IllegalArgumentException failure) {
                hasFailed = true;
                log.atWarn()
                        .addKeyValue("issuer", issuer.getValue())
                        .setCause(failure)
                        .log("An OpenID Connect issuer does not answer as it should");
            }
        }
        if (known == null) {
            throw unavailable("does not answer as an OpenID Connect provider", null);
        }
        return known;
    }

    MillraceException unavailable(String how, @Nullable Throwable cause) {
        String message = "The provider " + issuer + " " + how
                + ": try again later. Who is logged in already stays so. The log of the scheduler says more.";
        return cause == null
                ? new MillraceException(ErrorCode.PROVIDER_UNAVAILABLE, message)
                : new MillraceException(ErrorCode.PROVIDER_UNAVAILABLE, message, cause);
    }

    private boolean isFresh() {
        long age = System.nanoTime() - askedAtNanos;
        return hasFailed ? age < PAUSE_AFTER_FAILURE.toNanos() : known != null && age < METADATA_KEPT.toNanos();
    }

    private Known fetch() throws IOException, GeneralException {
        OIDCProviderMetadata metadata = OIDCProviderMetadata.parse(retriever
                .retrieveResource(OIDCProviderMetadata.resolveURL(issuer))
                .getContent());
        if (!issuer.equals(metadata.getIssuer())) {
            throw new GeneralException("it calls itself " + metadata.getIssuer());
        }
        requireSafe(metadata.getJWKSetURI());
        requireSafe(metadata.getTokenEndpointURI());
        requireSafe(metadata.getAuthorizationEndpointURI());
        Known before = known;
        return before != null && before.metadata().getJWKSetURI().equals(metadata.getJWKSetURI())
                ? new Known(metadata, before.keys())
                : new Known(metadata, keys(metadata.getJWKSetURI()));
    }

    private JWKSource<SecurityContext> keys(URI address) throws IOException {
        return JWKSourceBuilder.create(address.toURL(), retriever)
                .cache(KEYS_KEPT.toMillis(), KEYS_REFRESH_TIMEOUT.toMillis())
                .refreshAheadCache(false)
                .rateLimited(KEYS_INTERVAL_MIN.toMillis())
                .outageTolerant(KEYS_KEPT_IN_OUTAGE.toMillis())
                .build();
    }

    /** Where the issuer speaks TLS, so must all of its addresses. */
    private void requireSafe(@Nullable URI address) throws GeneralException {
        if (address != null && issuer.getValue().startsWith("https:") && !"https".equals(address.getScheme())) {
            throw new GeneralException("its address " + address + " is not safe");
        }
    }
}
