package dev.millrace.scheduler.identity.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** An OpenID Connect provider whose ID tokens a test writes itself, also such as no good provider would issue. */
final class TestProvider implements AutoCloseable {
    static final String CLIENT = "millrace";

    private static final RSAKey FOREIGN = newKey("foreign");

    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final AtomicInteger keysAsked = new AtomicInteger();
    private volatile RSAKey key = newKey("first");
    private volatile boolean isDown;
    private volatile Function<JWTClaimsSet.Builder, String> tokens = this::sign;

    TestProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, metadata()));
        server.createContext("/keys", exchange -> {
            keysAsked.incrementAndGet();
            answer(exchange, 200, new JWKSet(key.toPublicJWK()).toString());
        });
        server.createContext("/token", this::token);
        server.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int keysAsked() {
        return keysAsked.get();
    }

    /** Lets the provider answer everything with an error. */
    void setDown(boolean value) {
        isDown = value;
    }

    String keyId() {
        return key.getKeyID();
    }

    void rotateKey(String id) {
        key = newKey(id);
    }

    /** Lets the provider make ID tokens by this function of the right claims. */
    void issue(Function<JWTClaimsSet.Builder, String> value) {
        tokens = value;
    }

    /** Logs somebody in at the provider, and returns the code that the browser brings back. */
    String authorize(String authorizationUrl) {
        String code = UUID.randomUUID().toString();
        codes.put(code, query(authorizationUrl));
        return code;
    }

    static Map<String, String> query(String url) {
        Map<String, String> query = new ConcurrentHashMap<>();
        URLUtils.parseParameters(URI.create(url).getRawQuery())
                .forEach((name, values) -> query.put(name, values.getFirst()));
        return query;
    }

    /** Right claims of a token for {@link #CLIENT}. */
    JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(CLIENT)
                .subject("subject-of-ada")
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .claim("preferred_username", "ada")
                .claim("groups", List.of("builders"));
    }

    String sign(JWTClaimsSet.Builder claims) {
        return sign(claims, key);
    }

    static String sign(JWTClaimsSet.Builder claims, RSAKey key) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build());
            jwt.sign(new RSASSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key that no provider has told, with this id. Made before, because that may take seconds. */
    static RSAKey foreignKey(String id) {
        return new RSAKey.Builder(FOREIGN).keyID(id).build();
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private String metadata() {
        return """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "jwks_uri": "%1$s/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["RS256"]}
                """.formatted(issuer());
    }

    private void token(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Map<String, String> sent = query("http://x/?" + body);
        Map<String, String> asked = codes.remove(sent.getOrDefault("code", ""));
        if (asked == null || !isSameLogin(asked, sent)) {
            answer(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        String idToken = tokens.apply(claims().claim("nonce", asked.get("nonce")));
        answer(
                exchange,
                200,
                "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"id_token\": \"" + idToken + "\"}");
    }

    private static boolean isSameLogin(Map<String, String> asked, Map<String, String> sent) {
        CodeChallenge challenge = CodeChallenge.compute(
                CodeChallengeMethod.S256, new CodeVerifier(Objects.requireNonNull(sent.get("code_verifier"))));
        return challenge.getValue().equals(asked.get("code_challenge"))
                && Objects.equals(asked.get("redirect_uri"), sent.get("redirect_uri"))
                && "S256".equals(asked.get("code_challenge_method"));
    }

    private void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(isDown ? 503 : status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
