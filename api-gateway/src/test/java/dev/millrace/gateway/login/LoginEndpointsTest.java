package dev.millrace.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.identity.v1.CreateSessionRequest;
import dev.millrace.proto.identity.v1.CreateSessionResponse;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIResponse;
import dev.millrace.proto.login.v1.ApproveDeviceRequest;
import dev.millrace.proto.login.v1.ApproveDeviceResponse;
import dev.millrace.proto.login.v1.AuthorizeDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceResponse;
import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.BeginLoginResponse;
import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.CreateTrustResponse;
import dev.millrace.proto.login.v1.DenyDeviceResponse;
import dev.millrace.proto.login.v1.Device;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.ExchangeTokenResponse;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.FinishLoginResponse;
import dev.millrace.proto.login.v1.GetDeviceResponse;
import dev.millrace.proto.login.v1.GetLoginOptionsResponse;
import dev.millrace.proto.login.v1.ListTrustsResponse;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import dev.millrace.proto.login.v1.PollDeviceResponse;
import dev.millrace.proto.login.v1.PollDeviceResponse.State;
import dev.millrace.proto.login.v1.Trust;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import io.grpc.Status;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoginEndpointsTest extends GatewayTest {

    private static final String PROVIDER = "https://id.example/authorize?state=s";
    private static final String SESSION = "millrace-session=mrc_1";
    private static final Timestamp LATER =
            Timestamp.newBuilder().setSeconds(4_102_444_800L).build();
    private static final Device DEVICE = Device.newBuilder()
            .setClientName("<script>alert(1)</script>")
            .setAddress("192.0.2.1")
            .setCreateTime(LATER)
            .setExpireTime(LATER)
            .build();

    private final Token token = Token.newBuilder()
            .setPrincipal("ada")
            .setExpireTime(Timestamp.newBuilder().setSeconds(Instant.now().getEpochSecond() + 3_600))
            .build();

    @BeforeEach
    void layDownAnswers() {
        var canned = scheduler.canned;
        canned.answer(
                LoginServiceGrpc.getGetLoginOptionsMethod(),
                GetLoginOptionsResponse.newBuilder()
                        .setIssuer("https://id.example")
                        .build());
        canned.answer(
                LoginServiceGrpc.getBeginLoginMethod(),
                BeginLoginResponse.newBuilder()
                        .setAuthorizationUrl(PROVIDER)
                        .setTransaction("secret-of-browser")
                        .build());
        canned.answer(
                LoginServiceGrpc.getFinishLoginMethod(),
                FinishLoginResponse.newBuilder()
                        .setSecret("mrc_new")
                        .setToken(token)
                        .setReturnTo("/device")
                        .build());
        canned.answer(
                TokenServiceGrpc.getCreateSessionMethod(),
                CreateSessionResponse.newBuilder()
                        .setSecret("mrc_new")
                        .setToken(token)
                        .build());
        canned.answer(
                PrincipalServiceGrpc.getWhoAmIMethod(),
                WhoAmIResponse.newBuilder()
                        .setPrincipal(Principal.newBuilder().setName("ada"))
                        .build());
        canned.answer(
                DeviceServiceGrpc.getGetDeviceMethod(),
                GetDeviceResponse.newBuilder().setDevice(DEVICE).build());
        canned.answer(
                DeviceServiceGrpc.getApproveDeviceMethod(),
                ApproveDeviceResponse.newBuilder().setDevice(DEVICE).build());
    }

    @Test
    void aLoginLeadsToTheProviderAndBack() {
        var begun = get("/login?return_to=%2Fdevice");

        assertThat(begun.statusCode()).isEqualTo(303);
        assertThat(location(begun)).isEqualTo(PROVIDER);
        assertThat(cookies(begun))
                .containsExactly("millrace-login=secret-of-browser; Path=/; Max-Age=600; HttpOnly; SameSite=Lax");
        assertThat(last(BeginLoginRequest.class))
                .isEqualTo(BeginLoginRequest.newBuilder()
                        .setRedirectUri(uri("/login/callback").toString())
                        .setReturnTo("/device")
                        .build());

        var finished = send(request("/login/callback?code=c&state=s&iss=i&session_state=x")
                .header("cookie", "millrace-login=secret-of-browser"));

        assertThat(finished.statusCode()).isEqualTo(303);
        assertThat(location(finished)).isEqualTo("../device");
        assertThat(cookies(finished).getFirst())
                .startsWith("millrace-session=mrc_new; Path=/;")
                .contains("HttpOnly");
        assertThat(cookies(finished).getLast()).startsWith("millrace-login=; Path=/; Max-Age=0");
        assertThat(last(FinishLoginRequest.class))
                .isEqualTo(FinishLoginRequest.newBuilder()
                        .setTransaction("secret-of-browser")
                        .setState("s")
                        .setCode("c")
                        .setIssuer("i")
                        .build());
    }

    @Test
    void overTlsCookiesBelongToTheHostAlone() {
        assertThat(TransactionCookie.keeping("x", true))
                .isEqualTo("__Host-millrace-login=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure");
        assertThat(TransactionCookie.removing(true)).startsWith("__Host-millrace-login=; Path=/; Max-Age=0;");
    }

    @Test
    void nobodyIsSentToAnotherSite() {
        get("/login?return_to=https%3A%2F%2Fevil.example");

        assertThat(last(BeginLoginRequest.class).getReturnTo()).isEqualTo("/");
        scheduler.canned.answer(
                LoginServiceGrpc.getFinishLoginMethod(),
                FinishLoginResponse.newBuilder()
                        .setSecret("mrc_new")
                        .setToken(token)
                        .setReturnTo("//evil.example")
                        .build());
        assertThat(location(get("/login/callback?code=c&state=s"))).isEqualTo("../");
    }

    @Test
    void aFailedLoginIsToldOnAPage() {
        scheduler.canned.refuse(
                LoginServiceGrpc.getFinishLoginMethod(),
                Status.UNAUTHENTICATED.withDescription("<b>expired</b>").asRuntimeException());

        var page = get("/login/callback?code=c&state=s");
        var refused = send(request("/login/callback?error=access_denied&error_description=%3Cscript%3E")
                .header("cookie", "millrace-login=secret-of-browser"));
        var madeUp = get("/login/callback?error=x&error_description=Call%20555-0100");

        assertThat(page.statusCode()).isEqualTo(401);
        assertThat(page.body()).contains("&lt;b&gt;expired&lt;/b&gt;").doesNotContain("<b>");
        assertThat(cookies(page)).isEmpty();
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("access_denied").doesNotContain("<script");
        assertThat(madeUp.body()).contains("No login was begun in this browser").doesNotContain("555-0100");
    }

    @Test
    void aTokenBecomesACookie() {
        var session = post("/api/v1/session", "{\"token\": \"mru_1\"}");

        assertThat(session.statusCode()).isEqualTo(201);
        assertThat(json(session).path("user").asText()).isEqualTo("ada");
        assertThat(session.body()).doesNotContain("mrc_new");
        assertThat(cookies(session).getFirst()).startsWith("millrace-session=mrc_new;");
        assertThat(last(CreateSessionRequest.class)).isNotNull();

        var page = form("/login", "token=mru_1&return_to=%2Fdevice");
        assertThat(page.statusCode()).isEqualTo(303);
        assertThat(location(page)).isEqualTo("./device");
        assertThat(cookies(page).getFirst()).startsWith("millrace-session=mrc_new;");
        assertThat(get("/login?method=token").body()).contains("name=\"token\"");
    }

    @Test
    void otherSitesChangeNoSession() {
        problem(form("/logout", "", "cookie", SESSION, "origin", "https://evil.example"), 403, "cross_site_request");
        problem(form("/logout", "", "cookie", SESSION), 403, "cross_site_request");
        problem(form("/login", "token=x", "origin", "https://evil.example"), 403, "cross_site_request");
        problem(
                post("/api/v1/session", "{\"token\": \"x\"}", "origin", "https://evil.example"),
                403,
                "cross_site_request");
        problem(
                form("/device", "user_code=X&decision=approve", "cookie", SESSION, "origin", "https://evil.example"),
                403,
                "cross_site_request");
        assertThat(scheduler.requests).isEmpty();
    }

    @Test
    void aLogoutRevokesTheTokenOfTheCookie() {
        var gone = form("/logout", "", "cookie", SESSION, "origin", origin());

        assertThat(gone.statusCode()).isEqualTo(204);
        assertThat(cookies(gone)).containsExactly("millrace-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        assertThat(last(RevokeTokenRequest.class).getId()).isEmpty();

        scheduler.canned.refuse(
                TokenServiceGrpc.getRevokeTokenMethod(),
                Status.UNAVAILABLE.withDescription("down").asRuntimeException());
        problem(form("/logout", "", "cookie", SESSION, "origin", origin()), 503, "unavailable");
    }

    @Test
    void aProgramBeginsAndPolls() {
        scheduler.canned.answer(
                DeviceServiceGrpc.getAuthorizeDeviceMethod(),
                AuthorizeDeviceResponse.newBuilder()
                        .setDeviceCode("d")
                        .setUserCode("BCDF-GHJK")
                        .setExpiresIn(Duration.newBuilder().setSeconds(600))
                        .setInterval(Duration.newBuilder().setSeconds(5))
                        .build());

        var begun = json(form("/api/v1/device-authorizations", "client_id=millrace-cli"));

        assertThat(last(AuthorizeDeviceRequest.class).getClientName()).isEqualTo("millrace-cli");
        assertThat(begun.path("verification_uri").asText())
                .isEqualTo(uri("/device").toString());
        assertThat(begun.path("verification_uri_complete").asText())
                .isEqualTo(uri("/device?user_code=BCDF-GHJK").toString());
        assertThat(begun.path("interval").asInt()).isEqualTo(5);
        assertThat(polled(State.STATE_PENDING)).isEqualTo("authorization_pending");
        assertThat(polled(State.STATE_SLOW_DOWN)).isEqualTo("slow_down");
        assertThat(polled(State.STATE_DENIED)).isEqualTo("access_denied");
        assertThat(polled(State.STATE_EXPIRED)).isEqualTo("expired_token");
        scheduler.canned.answer(
                DeviceServiceGrpc.getPollDeviceMethod(),
                PollDeviceResponse.newBuilder()
                        .setState(State.STATE_APPROVED)
                        .setSecret("mru_new")
                        .setToken(token)
                        .build());
        var token = json(poll());
        assertThat(token.path("access_token").asText()).isEqualTo("mru_new");
        assertThat(token.path("token_type").asText()).isEqualTo("Bearer");
        assertThat(token.path("expires_in").asInt()).isBetween(3_500, 3_600);
    }

    @Test
    void aUserLooksAndDecidesOnAPageWithoutScripts() {
        assertThat(get("/device").body()).contains("name=\"user_code\"");

        var page = send(request("/device?user_code=bcdf-ghjk").header("cookie", SESSION));

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("192.0.2.1", "ada", "&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script", "style=");
        assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("x-frame-options")).hasValue("DENY");
        assertThat(page.headers().firstValue("referrer-policy"))
                .as("browsers send the origin with the form of the page")
                .hasValue("same-origin");

        var approved = form("/device", "user_code=BCDF-GHJK&decision=approve", "cookie", SESSION, "origin", origin());
        assertThat(approved.body()).contains("is logged in").doesNotContain("<script");
        assertThat(last(ApproveDeviceRequest.class).getUserCode()).isEqualTo("BCDF-GHJK");
        assertThat(post("/api/v1/device-authorizations:approve", "{\"user_code\": \"BCDF-GHJK\"}")
                        .statusCode())
                .isEqualTo(200);
        scheduler.canned.answer(
                DeviceServiceGrpc.getDenyDeviceMethod(),
                DenyDeviceResponse.newBuilder().setDevice(DEVICE).build());
        assertThat(post("/api/v1/device-authorizations:deny", "{\"user_code\": \"BCDF-GHJK\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whoIsNotLoggedInLogsInFirst() {
        scheduler.canned.refuse(
                PrincipalServiceGrpc.getWhoAmIMethod(),
                Status.UNAUTHENTICATED.withDescription("who?").asRuntimeException());

        var page = get("/device?user_code=BCDF-GHJK");

        assertThat(page.statusCode()).isEqualTo(303);
        assertThat(location(page)).isEqualTo("./login?return_to=%2Fdevice%3Fuser_code%3DBCDF-GHJK");
    }

    @Test
    void aJobExchangesItsJwt() {
        scheduler.canned.answer(
                TrustServiceGrpc.getExchangeTokenMethod(),
                ExchangeTokenResponse.newBuilder()
                        .setSecret("mrs_new")
                        .setToken(token)
                        .build());
        var exchange = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=j"
                + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt&workspace=w&service_account=ci";

        var token = json(form("/api/v1/oauth/token", exchange));

        assertThat(token.path("access_token").asText()).isEqualTo("mrs_new");
        assertThat(token.path("issued_token_type").asText()).endsWith("access_token");
        assertThat(last(ExchangeTokenRequest.class))
                .isEqualTo(ExchangeTokenRequest.newBuilder()
                        .setJwt("j")
                        .setWorkspace("w")
                        .setServiceAccount("ci")
                        .build());

        scheduler.canned.refuse(
                TrustServiceGrpc.getExchangeTokenMethod(),
                Status.UNAUTHENTICATED.withDescription("nobody trusts it").asRuntimeException());
        var refused = form("/api/v1/oauth/token", exchange);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("error").asText()).isEqualTo("invalid_grant");
        assertThat(json(form("/api/v1/oauth/token", "grant_type=password"))
                        .path("error")
                        .asText())
                .isEqualTo("unsupported_grant_type");
        problem(post("/api/v1/oauth/token", "{}"), 415, "unsupported_media_type");
    }

    @Test
    void trustsAreManaged() {
        var trust = Trust.newBuilder()
                .setWorkspace("default")
                .setName("deploy")
                .setServiceAccount("ci")
                .setIssuer("https://ci.example")
                .setAudience("m")
                .putClaims("ref", "main")
                .setCreatedBy("ada")
                .setCreateTime(LATER)
                .build();
        scheduler.canned.answer(
                TrustServiceGrpc.getCreateTrustMethod(),
                CreateTrustResponse.newBuilder().setTrust(trust).build());
        scheduler.canned.answer(
                TrustServiceGrpc.getListTrustsMethod(),
                ListTrustsResponse.newBuilder().addTrusts(trust).build());

        var created = post(
                "/api/v1/workspaces/team/trusts",
                "{\"name\": \"deploy\", \"service_account\": \"ci\", \"issuer\": \"https://ci.example\", \"audience\": \"m\","
                        + " \"claims\": {\"ref\": \"main\"}}");

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(last(CreateTrustRequest.class).getWorkspace()).isEqualTo("team");
        assertThat(last(CreateTrustRequest.class).getClaimsMap()).containsEntry("ref", "main");
        assertThat(json(get("/api/v1/trusts")).at("/items/0/claims/ref").asText())
                .isEqualTo("main");
        assertThat(delete("/api/v1/trusts/deploy").statusCode()).isEqualTo(204);
    }

    private String polled(State state) {
        scheduler.canned.answer(
                DeviceServiceGrpc.getPollDeviceMethod(),
                PollDeviceResponse.newBuilder().setState(state).build());
        var answer = poll();
        assertThat(answer.statusCode()).isEqualTo(400);
        return json(answer).path("error").asText();
    }

    private HttpResponse<String> poll() {
        return form(
                "/api/v1/oauth/token",
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d&client_id=millrace-cli");
    }

    private HttpResponse<String> form(String path, String fields, String... headers) {
        var request = request(path)
                .POST(BodyPublishers.ofString(fields))
                .header("content-type", "application/x-www-form-urlencoded");
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private String origin() {
        return uri("").toString();
    }

    private <T> T last(Class<T> type) {
        return scheduler.requests.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("location").orElse("");
    }

    private static List<String> cookies(HttpResponse<String> response) {
        return response.headers().allValues("set-cookie");
    }
}
