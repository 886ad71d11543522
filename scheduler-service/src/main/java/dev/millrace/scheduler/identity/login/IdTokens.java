package dev.millrace.scheduler.identity.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.ProviderUser;
import dev.millrace.scheduler.identity.core.Subject;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates ID tokens of the provider, and reads the users from them. Thread-safe. */
final class IdTokens {
    private static final int SUBJECT_LENGTH_MAX = 255;
    private static final int GROUPS_MAX = 1_000;
    private static final int GROUP_LENGTH_MAX = 200;
    private static final String EMAIL = "email";

    private final OidcConfig.Provider config;
    private final OpenIdIssuer issuer;

    IdTokens(OidcConfig.Provider config, OpenIdIssuer issuer) {
        this.config = config;
        this.issuer = issuer;
    }

    /** The user of a token that was made for this installation and this login. */
    ProviderUser validate(JWT token, Nonce nonce) {
        IDTokenClaimsSet claims = claims(token, nonce);
        requireKnownAudiences(claims);
        String subject = claims.getSubject().getValue();
        if (subject.length() > SUBJECT_LENGTH_MAX || subject.indexOf('\0') >= 0) {
            throw refused("its claim sub is too long or has a NUL character");
        }
        return new ProviderUser(issuer.id().getValue(), subject, name(claims), groups(claims));
    }

    private IDTokenClaimsSet claims(JWT token, Nonce nonce) {
        IDTokenValidator validator = new IDTokenValidator(
                issuer.id(),
                new ClientID(config.clientId()),
                SignedTokens.selector(issuer.known().keys()),
                null);
        validator.setMaxClockSkew((int) SignedTokens.CLOCK_SKEW_MAX.toSeconds());
        try {
            return validator.validate(token, nonce);
        } catch (BadJOSEException | JOSEException invalid) {
            throw SignedTokens.refusal(issuer, invalid);
        }
    }

    /** A token that is also for somebody else could have been passed on by them. */
    private void requireKnownAudiences(IDTokenClaimsSet claims) {
        List<String> unknown = claims.getAudience().stream()
                .map(Audience::getValue)
                .filter(audience -> !audience.equals(config.clientId())
                        && !config.allowedAudiences().contains(audience))
                .toList();
        if (!unknown.isEmpty()) {
            throw refused("its claim aud also names " + String.join(", ", unknown)
                    + ", which millrace.oidc.allowed-audiences does not list");
        }
    }

    private String name(IDTokenClaimsSet claims) {
        Object name = claims.getClaim(config.nameClaim());
        if (!(name instanceof String text) || !Subject.isName(text)) {
            throw new MillraceException(
                    ErrorCode.PERMISSION_DENIED,
                    "The provider gives no name that is possible here: the claim " + config.nameClaim()
                            + (name == null ? " is missing" : " has a value that is no name")
                            + " (expected: 1 to 100 letters, digits and '.', '_', '@', '-'). Choose another claim by"
                            + " millrace.oidc.name-claim.");
        }
        if (config.nameClaim().equals(EMAIL) && !Boolean.TRUE.equals(claims.getClaim("email_verified"))) {
            throw new MillraceException(
                    ErrorCode.PERMISSION_DENIED,
                    "The provider does not say that the address " + text
                            + " is verified, so it cannot be the name of a user: verify it at the provider.");
        }
        return text;
    }

    private List<String> groups(IDTokenClaimsSet claims) {
        List<String> groups = texts(claims.getClaim(config.groupsClaim())).stream()
                .filter(group -> !group.isBlank() && group.length() <= GROUP_LENGTH_MAX && group.indexOf('\0') < 0)
                .distinct()
                .sorted()
                .toList();
        if (groups.size() > GROUPS_MAX) {
            throw refused("its claim " + config.groupsClaim() + " has " + groups.size() + " groups (expected: at most "
                    + GROUPS_MAX + ")");
        }
        return groups;
    }

    private static List<String> texts(@Nullable Object claim) {
        return switch (claim) {
            case String text -> List.of(text);
            case Collection<?> list ->
                list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList();
            case null, default -> List.of();
        };
    }

    private MillraceException refused(String why) {
        return new MillraceException(
                ErrorCode.LOGIN_FAILED, "The token of " + issuer.id() + " is not accepted: " + why + ".");
    }
}
