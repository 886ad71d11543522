package dev.millrace.scheduler.identity.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.Principal;
import dev.millrace.scheduler.identity.Principals;
import dev.millrace.scheduler.identity.Tokens;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Exchanges JWTs of CI systems for tokens of the service accounts that trust them. Blocking and thread-safe. */
public final class TokenExchange {
    private static final int REFUSALS_MAX = 20;
    private static final Duration REFUSALS_PERIOD = Duration.ofMinutes(1);
    private static final int TRUSTS_MAX = 5_000;
    private static final int NAME_LENGTH_MAX = 200;

    private final Map<String, OpenIdIssuer> issuers;
    private final TrustStore trusts;
    private final Principals principals;
    private final Tokens tokens;
    private final Attempts refused = new Attempts("refused JWTs", REFUSALS_MAX, REFUSALS_PERIOD);

    /** @param issuers those in which trusts are possible */
    public TokenExchange(List<String> issuers, Database database, Principals principals, Tokens tokens) {
        this.issuers = issuers.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), OpenIdIssuer::new));
        this.trusts = new TrustStore(database);
        this.principals = principals;
        this.tokens = tokens;
    }

    /**
     * What a job of a CI system asks for.
     *
     * @param workspace of the service account; absent if the JWT alone decides
     * @param serviceAccount its name; empty if the JWT alone decides
     * @param address from which the job calls
     */
    record Request(String jwt, Optional<Workspace> workspace, String serviceAccount, String address) {}

    Tokens.Issued exchange(Request request) {
        refused.requireFew(request.address());
        try {
            JWTClaimsSet claims = claims(request.jwt());
            return tokens.ofExchange(account(claims, request), by(claims));
        } catch (MillraceException refusal) {
            if (refusal.code() == ErrorCode.LOGIN_FAILED) {
                refused.count(request.address());
            }
            throw refusal;
        }
    }

    private JWTClaimsSet claims(String text) {
        try {
            SignedJWT jwt = SignedJWT.parse(text);
            OpenIdIssuer issuer = issuer(jwt.getJWTClaimsSet().getIssuer());
            return validated(jwt, issuer);
        } catch (ParseException noJwt) {
            throw new MillraceException(
                    ErrorCode.LOGIN_FAILED,
                    "The subject token is not a signed JWT: pass the ID token of the job.",
                    noJwt);
        }
    }

    private OpenIdIssuer issuer(@Nullable String named) {
        OpenIdIssuer issuer = named == null ? null : issuers.get(named);
        if (issuer == null) {
            throw new MillraceException(
                    ErrorCode.LOGIN_FAILED,
                    "JWTs of the issuer of this one are not exchanged here: the owner of the installation names issuers in"
                            + " millrace.oidc.exchange-issuers.");
        }
        return issuer;
    }

    private static JWTClaimsSet validated(SignedJWT jwt, OpenIdIssuer issuer) {
        DefaultJWTClaimsVerifier<SecurityContext> verifier = new DefaultJWTClaimsVerifier<>(
                new JWTClaimsSet.Builder().issuer(issuer.id().getValue()).build(), Set.of("sub", "aud", "exp", "iat"));
        verifier.setMaxClockSkew((int) SignedTokens.CLOCK_SKEW_MAX.toSeconds());
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(SignedTokens.selector(issuer.known().keys()));
        processor.setJWTClaimsSetVerifier(verifier);
        try {
            return processor.process(jwt, null);
        } catch (BadJOSEException | JOSEException invalid) {
            throw SignedTokens.refusal(issuer, invalid);
        }
    }

    private Principal account(JWTClaimsSet claims, Request request) {
        List<Trust> matching =
                trusts.ofIssuer(claims.getIssuer(), request.workspace(), request.serviceAccount(), TRUSTS_MAX).stream()
                        .filter(trust -> claims.getAudience().contains(trust.audience())
                                && trust.claims().areMetBy(claims.getClaims()))
                        .toList();
        Set<Account> accounts = matching.stream().map(Account::of).collect(Collectors.toUnmodifiableSet());
        if (accounts.size() > 1) {
            throw new MillraceException(
                    ErrorCode.SEVERAL_ACCOUNTS,
                    accounts.size()
                            + " service accounts trust this JWT: name the one that you mean, and its workspace.");
        }
        return accounts.stream()
                .findFirst()
                .map(account -> principals.find(
                        new Subject(Subject.Kind.SERVICE_ACCOUNT, account.name()), Optional.of(account.workspace())))
                .filter(account -> account.disabledAt().isEmpty())
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.LOGIN_FAILED,
                        "No service account trusts this JWT, with the audience "
                                + String.join(", ", claims.getAudience()) + " and the subject " + claims.getSubject()
                                + ": an admin of the workspace compares its claims with the trusts."));
    }

    private static String by(JWTClaimsSet claims) {
        String name = "jwt:" + claims.getSubject().replace("\0", "");
        return name.substring(0, Math.min(name.length(), NAME_LENGTH_MAX));
    }

    private record Account(Workspace workspace, String name) {
        static Account of(Trust trust) {
            return new Account(trust.workspace(), trust.serviceAccount());
        }
    }
}
