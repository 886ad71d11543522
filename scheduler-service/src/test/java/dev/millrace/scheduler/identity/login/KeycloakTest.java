package dev.millrace.scheduler.identity.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jwt.SignedJWT;
import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
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
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    private final String address = System.getProperty("millrace.test.keycloak");
    private final String issuer = address + "/realms/millrace";
    private final KeycloakAdmin keycloak = new KeycloakAdmin(address);
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

    @BeforeAll
    void trust() {
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
    }

    @Test
    void aPersonLogsInWithTheGroupsOfTheProvider() throws Exception {
        BeginLoginResponse begun = begin();
        Map<String, String> back = logInAtKeycloak(begun, "ada");

        Principal ada = whoIs(finish(begun, back));

        assertThat(ada.getName()).isEqualTo("ada");
        assertThat(ada.getGroupsList()).containsExactly("builders");
        assertThat(back).as("Keycloak names itself (RFC 9207)").containsEntry("iss", issuer);
    }

    @Test
    void aClientExchangesItsJwt() throws Exception {
        assertThat(exchanged(jwt())).isEqualTo("deployer");
    }

    @Test
    void afterARotationOfKeysBothKeysAreKnown() throws Exception {
        String before = jwt();
        assertThat(exchanged(before)).isEqualTo("deployer");

        keycloak.rotateKeys();

        String after = jwt();
        assertThat(keyId(after)).isNotEqualTo(keyId(before));
        assertThat(exchanged(after)).as("with the new key").isEqualTo("deployer");
        assertThat(exchanged(before)).as("with the key before").isEqualTo("deployer");
        assertThat(whoIs(logIn("ada")).getName()).isEqualTo("ada");
    }

    @Test
    void whoIsDisabledAtTheProviderKeepsTheSessionUntilAnOwnerEndsIt() throws Exception {
        FinishLoginResponse session = logIn("carl");

        keycloak.disable("carl");

        assertThat(whoIs(session).getName()).isEqualTo("carl");
        BeginLoginResponse again = begin();
        assertThat(sendForm(again, "carl").headers().firstValue("location"))
                .as("Keycloak sends nobody back")
                .isEmpty();
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .updateUser(UpdateUserRequest.newBuilder()
                        .setName("carl")
                        .setDisabled(true)
                        .build());
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> whoIs(session));
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    private BeginLoginResponse begin() {
        return LoginServiceGrpc.newBlockingStub(scheduler.channel())
                .beginLogin(
                        BeginLoginRequest.newBuilder().setRedirectUri(CALLBACK).build());
    }

    private FinishLoginResponse finish(BeginLoginResponse begun, Map<String, String> back) {
        return LoginServiceGrpc.newBlockingStub(scheduler.channel())
                .finishLogin(FinishLoginRequest.newBuilder()
                        .setTransaction(begun.getTransaction())
                        .setState(back.getOrDefault("state", ""))
                        .setCode(back.getOrDefault("code", ""))
                        .setIssuer(back.getOrDefault("iss", ""))
                        .build());
    }

    private FinishLoginResponse logIn(String user) throws Exception {
        BeginLoginResponse begun = begin();
        return finish(begun, logInAtKeycloak(begun, user));
    }

    private Principal whoIs(FinishLoginResponse session) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal();
    }

    private String jwt() throws Exception {
        return keycloak.token(
                "millrace",
                Map.of("grant_type", "client_credentials", "client_id", "ci", "client_secret", "secret-of-ci"));
    }

    private String exchanged(String jwt) {
        return TrustServiceGrpc.newBlockingStub(scheduler.channel())
                .exchangeToken(ExchangeTokenRequest.newBuilder().setJwt(jwt).build())
                .getToken()
                .getPrincipal();
    }

    private static String keyId(String jwt) throws ParseException {
        return SignedJWT.parse(jwt).getHeader().getKeyID();
    }

    /** Logs a user in at Keycloak, and returns what the browser would bring back. */
    private Map<String, String> logInAtKeycloak(BeginLoginResponse begun, String user) throws Exception {
        HttpResponse<String> done = sendForm(begun, user);
        String location = done.headers().firstValue("location").orElse("");
        assertThat(location).as(done.body()).startsWith(CALLBACK);
        return TestProvider.query(location);
    }

    /** Fills the form of Keycloak in. */
    private HttpResponse<String> sendForm(BeginLoginResponse begun, String user) throws Exception {
        HttpResponse<String> form = browser.send(
                HttpRequest.newBuilder(URI.create(begun.getAuthorizationUrl())).build(), BodyHandlers.ofString());
        String cookies = form.headers().allValues("set-cookie").stream()
                .map(cookie -> cookie.split(";", 2)[0])
                .collect(Collectors.joining("; "));
        Matcher action = FORM.matcher(form.body());
        assertThat(action.find()).as(form.body()).isTrue();
        HttpRequest filled = KeycloakAdmin.form(
                        action.group(1).replace("&amp;", "&"),
                        Map.of("username", user, "password", "password-of-" + user))
                .header("cookie", cookies)
                .build();
        return browser.send(filled, BodyHandlers.ofString());
    }
}
