package dev.millrace.scheduler.identity.login;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.util.Set;

/** What all signatures of JWTs have in common that are accepted. */
final class SignedTokens {
    /** By so much the clocks of an issuer and of this machine may differ. */
    static final Duration CLOCK_SKEW_MAX = Duration.ofSeconds(60);

    /** Signatures by keys of which only the issuer has the private half. Never {@code none} or a shared secret. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private SignedTokens() {}

    /** Finds the key of a JWT by its header. */
    static JWSKeySelector<SecurityContext> selector(JWKSource<SecurityContext> keys) {
        return new JWSVerificationKeySelector<>(ALGORITHMS, keys);
    }

    /** The refusal of a JWT that is not valid, or whose key cannot be fetched. */
    static MillraceException refusal(OpenIdIssuer issuer, Exception failure) {
        return switch (failure) {
            case KeySourceException noKeys -> issuer.unavailable("does not give its keys", noKeys);
            case BadJOSEException invalid ->
                new MillraceException(
                        ErrorCode.LOGIN_FAILED,
                        "The token of " + issuer.id() + " is not valid: " + invalid.getMessage() + ".",
                        invalid);
            default ->
                new MillraceException(
                        ErrorCode.LOGIN_FAILED, "The token of " + issuer.id() + " cannot be checked.", failure);
        };
    }
}
