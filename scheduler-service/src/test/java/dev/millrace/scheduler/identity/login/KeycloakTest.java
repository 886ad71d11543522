package dev.millrace.scheduler.identity.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.BeginLoginResponse;
import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.FinishLoginResponse;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests logins and exchanges with a real Keycloak that has imported {@code keycloak/millrace-realm.json}. The command
 * {@code .ci/nightly-keycloak} starts one.
 */
@EnabledIfSystemProperty(named = "millrace.test.keycloak", matches = "http.+")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeycloakTest {
    private static final String CALLBACK = "https://millrace.example/login/callback";
    private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");
    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

    private final String issuer = System.getProperty("millrace.test.keycloak") + "/realms/millrace";
    private final HttpClient browser = HttpClient.newHttpClient();
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    KeycloakTest(@TempDir Path folder) throws IOException {
        Path owner = folder.resolve("owner");
        Path secret = Files.writeString(folder.resolve("secret"), "secret-of-millrace\n");
        OidcConfig oidc = new OidcConfig(
                Optional.of(new OidcConfig.Provider(
                        issuer,
                        "millrace",
                        Optional.of(secret),
                        List.of("openid", "profile", "email"),
                        "preferred_username",
                        "groups",
                        Set.of())),
                List.of(issuer));
        scheduler = new RunningScheduler(config -> config.withAccess(new AccessConfig(true, owner).withOidc(oidc)));
        calls = new IdentityCalls(scheduler, owner);
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aPersonLogsInWithTheGroupsOfTheProvider() throws Exception {
        var logins = LoginServiceGrpc.newBlockingStub(scheduler.channel());
        BeginLoginResponse begun = logins.beginLogin(
                BeginLoginRequest.newBuilder().setRedirectUri(CALLBACK).build());

        Map<String, String> back = logInAtKeycloak(begun.getAuthorizationUrl());
        FinishLoginResponse session = logins.finishLogin(FinishLoginRequest.newBuilder()
                .setTransaction(begun.getTransaction())
                .setState(back.getOrDefault("state", ""))
                .setCode(back.getOrDefault("code", ""))
                .setIssuer(back.getOrDefault("iss", ""))
                .build());

        Principal ada = PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal();
        assertThat(ada.getName()).isEqualTo("ada");
        assertThat(ada.getGroupsList()).containsExactly("builders");
        assertThat(back).as("Keycloak names itself (RFC 9207)").containsEntry("iss", issuer);
    }

    @Test
    void aClientExchangesItsJwt() throws Exception {
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createServiceAccount(CreateServiceAccountRequest.newBuilder()
                        .setName("deployer")
                        .build());
        TrustServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createTrust(CreateTrustRequest.newBuilder()
                        .setName("ci")
                        .setServiceAccount("deployer")
                        .setIssuer(issuer)
                        .setAudience("https://millrace.example")
                        .putClaims("azp", "ci")
                        .build());

        String jwt = found(
                ACCESS_TOKEN,
                post(
                                issuer + "/protocol/openid-connect/token",
                                "",
                                Map.of(
                                        "grant_type",
                                        "client_credentials",
                                        "client_id",
                                        "ci",
                                        "client_secret",
                                        "secret-of-ci"))
                        .body());

        assertThat(TrustServiceGrpc.newBlockingStub(scheduler.channel())
                        .exchangeToken(
                                ExchangeTokenRequest.newBuilder().setJwt(jwt).build())
                        .getToken()
                        .getPrincipal())
                .isEqualTo("deployer");
    }

    /** Fills the form in, and returns what the browser would bring back. */
    private Map<String, String> logInAtKeycloak(String authorizationUrl) throws Exception {
        HttpResponse<String> form = browser.send(
                HttpRequest.newBuilder(URI.create(authorizationUrl)).build(), BodyHandlers.ofString());
        String cookies = form.headers().allValues("set-cookie").stream()
                .map(cookie -> cookie.split(";", 2)[0])
                .collect(Collectors.joining("; "));
        HttpResponse<String> done = post(
                found(FORM, form.body()).replace("&amp;", "&"),
                cookies,
                Map.of("username", "ada", "password", "password-of-ada"));
        String location = done.headers().firstValue("location").orElse("");
        assertThat(location).as(done.body()).startsWith(CALLBACK);
        return TestProvider.query(location);
    }

    private HttpResponse<String> post(String address, String cookies, Map<String, String> fields) throws Exception {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        return browser.send(
                (cookies.isEmpty() ? request : request.header("cookie", cookies)).build(), BodyHandlers.ofString());
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }
}
