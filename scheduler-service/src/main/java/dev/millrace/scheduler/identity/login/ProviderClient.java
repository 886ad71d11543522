package dev.millrace.scheduler.identity.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** This installation as a client of the provider. Blocking and thread-safe. */
final class ProviderClient {
    /** Most exchanges of codes at one time, so that a slow provider does not occupy all calls of the scheduler. */
    private static final int EXCHANGES_MAX = 32;

    /** Time in which an answer that has begun must end. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(10);

    private static final int PIECE_BYTES = 8 << 10;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final OidcConfig.Provider config;
    private final OpenIdIssuer issuer;
    private final ClientID client;
    private final Semaphore exchanges = new Semaphore(EXCHANGES_MAX);

    ProviderClient(OidcConfig.Provider config, OpenIdIssuer issuer) {
        this.config = config;
        this.issuer = issuer;
        this.client = new ClientID(config.clientId());
    }

    /** Where the browser goes to log in. */
    URI authorizationUrl(LoginAttempt attempt, String state) {
        URI endpoint = present(issuer.known().metadata().getAuthorizationEndpointURI(), "has no page for logins");
        return new AuthenticationRequest.Builder(
                        ResponseType.CODE,
                        new Scope(config.scopes().toArray(String[]::new)),
                        client,
                        attempt.redirectUri())
                .endpointURI(endpoint)
                .state(new State(state))
                .nonce(attempt.nonce())
                .codeChallenge(attempt.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    /**
     * Fails unless the response comes from the provider to which the browser was sent (RFC 9207).
     *
     * @param named what the response says; empty if it says nothing
     */
    void requireIssuer(String named) {
        boolean isAlwaysNamed = issuer.known().metadata().supportsAuthorizationResponseIssuerParam();
        if (named.isEmpty() ? isAlwaysNamed : !named.equals(issuer.id().getValue())) {
            throw new MillraceException(
                    ErrorCode.LOGIN_FAILED,
                    "The response to the login does not come from " + issuer.id() + ": start the login again.");
        }
    }

    /** The ID token for a code. */
    JWT exchange(LoginAttempt attempt, String code) {
        if (!exchanges.tryAcquire()) {
            throw MillraceException.overloaded(
                    EXCHANGES_MAX + " logins wait for " + issuer.id() + " at this time: try again.", RETRY_AFTER);
        }
        try {
            HTTPResponse response = send(request(attempt, code));
            if (response.getStatusCode() >= HTTPResponse.SC_SERVER_ERROR) {
                throw issuer.unavailable(
                        "fails at the end of the login, with status " + response.getStatusCode(), null);
            }
            return idToken(OIDCTokenResponseParser.parse(response));
        } catch (IOException unreachable) {
            throw issuer.unavailable("does not answer to the end of the login", unreachable);
        } catch (ParseException unreadable) {
            throw issuer.unavailable("answers what is no token", unreadable);
        } finally {
            exchanges.release();
        }
    }

    /** Sends a request, and reads no more of the answer than an ID token takes, and no longer than others may wait. */
    private static HTTPResponse send(HTTPRequest request) throws IOException, ParseException {
        HttpURLConnection connection = request.toHttpURLConnection();
        try {
            HTTPResponse response = new HTTPResponse(connection.getResponseCode());
            Optional<String> type = Optional.ofNullable(connection.getContentType());
            if (type.isPresent()) {
                response.setContentType(type.get());
            }
            InputStream body = response.getStatusCode() < HTTPResponse.SC_BAD_REQUEST
                    ? connection.getInputStream()
                    : connection.getErrorStream();
            if (body != null) {
                response.setBody(text(body));
            }
            return response;
        } finally {
            connection.disconnect();
        }
    }

    private static String text(InputStream body) throws IOException {
        long end = System.nanoTime() + ANSWER_TIME_MAX.toNanos();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE_BYTES];
        for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
            read.write(piece, 0, count);
            if (read.size() > OpenIdIssuer.ANSWER_BYTES_MAX) {
                throw new IOException("the answer has more than " + OpenIdIssuer.ANSWER_BYTES_MAX + " bytes");
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException("the answer takes longer than " + ANSWER_TIME_MAX.toSeconds() + " s");
            }
        }
        return read.toString(UTF_8);
    }

    private HTTPRequest request(LoginAttempt attempt, String code) {
        URI endpoint = present(issuer.known().metadata().getTokenEndpointURI(), "has no address for tokens");
        AuthorizationCodeGrant grant =
                new AuthorizationCodeGrant(new AuthorizationCode(code), attempt.redirectUri(), attempt.verifier());
        TokenRequest.Builder builder = config.clientSecretFile()
                .map(file -> new TokenRequest.Builder(endpoint, new ClientSecretBasic(client, secret(file)), grant))
                .orElseGet(() -> new TokenRequest.Builder(endpoint, client, grant));
        HTTPRequest request = builder.build().toHTTPRequest();
        request.setConnectTimeout(OpenIdIssuer.CONNECT_TIMEOUT_MILLIS);
        request.setReadTimeout(OpenIdIssuer.READ_TIMEOUT_MILLIS);
        request.setFollowRedirects(false);
        return request;
    }

    private JWT idToken(TokenResponse response) {
        if (!response.indicatesSuccess()) {
            String error = Optional.ofNullable(
                            response.toErrorResponse().getErrorObject().getCode())
                    .orElse("no error code");
            throw new MillraceException(
                    ErrorCode.LOGIN_FAILED,
                    "The provider " + issuer.id() + " refuses to end the login (" + error
                            + "): start the login again. If that repeats, check the settings millrace.oidc.*.");
        }
        JWT token = ((OIDCTokenResponse) response.toSuccessResponse())
                .getOIDCTokens()
                .getIDToken();
        if (token == null) {
            throw new MillraceException(
                    ErrorCode.LOGIN_FAILED, "The provider " + issuer.id() + " has returned no ID token.");
        }
        return token;
    }

    /** The secret is read each time, so that a new one needs no restart. */
    private static Secret secret(Path file) {
        try {
            return new Secret(Files.readString(file).strip());
        } catch (IOException unreadable) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "The file " + file + " of the setting millrace.oidc.client-secret-file cannot be read.",
                    unreadable);
        }
    }

    private URI present(@Nullable URI address, String missing) {
        if (address == null) {
            throw issuer.unavailable(missing, null);
        }
        return address;
    }
}
