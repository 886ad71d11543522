package dev.millrace.gateway.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenRequest;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenResponse;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenResponse;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenResponse;
import dev.millrace.proto.identity.v1.CreateUserTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserTokenResponse;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenResponse;
import dev.millrace.proto.identity.v1.ListTokensRequest;
import dev.millrace.proto.identity.v1.ListTokensResponse;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.RevokeTokenResponse;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokenEndpointsTest extends GatewayTest {

    private static final String SECRET = "mru_secret";
    private static final String ID = "019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41";
    private static final TokenRestrictions CUT = TokenRestrictions.newBuilder()
            .addWorkspaces("team-a")
            .addFolders("reports")
            .setRoleMax(Role.ROLE_RUNNER)
            .build();
    private static final Token TOKEN = Token.newBuilder()
            .setId(ID)
            .setKind(Token.Kind.KIND_USER)
            .setName("laptop")
            .setPrincipal("ada")
            .setRestrictions(CUT)
            .setCreatedBy("ada")
            .setExpireTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
            .build();

    @BeforeEach
    void layDownAnswers() {
        scheduler.canned.answer(
                TokenServiceGrpc.getCreateTokenMethod(),
                CreateTokenResponse.newBuilder()
                        .setSecret(SECRET)
                        .setToken(TOKEN)
                        .build());
        scheduler.canned.answer(
                TokenServiceGrpc.getCreateUserTokenMethod(),
                CreateUserTokenResponse.newBuilder()
                        .setSecret(SECRET)
                        .setToken(TOKEN)
                        .build());
        scheduler.canned.answer(
                TokenServiceGrpc.getCreateServiceAccountTokenMethod(),
                CreateServiceAccountTokenResponse.newBuilder()
                        .setSecret(SECRET)
                        .setToken(TOKEN)
                        .build());
        scheduler.canned.answer(
                TokenServiceGrpc.getCreateWorkerTokenMethod(),
                CreateWorkerTokenResponse.newBuilder()
                        .setSecret(SECRET)
                        .setToken(TOKEN)
                        .build());
        scheduler.canned.answer(
                TokenServiceGrpc.getCreateSharedTokenMethod(),
                CreateSharedTokenResponse.newBuilder()
                        .setSecret(SECRET)
                        .setToken(TOKEN)
                        .build());
        scheduler.canned.answer(
                TokenServiceGrpc.getListTokensMethod(),
                ListTokensResponse.newBuilder().addTokens(TOKEN).build());
        scheduler.canned.answer(
                TokenServiceGrpc.getRevokeTokenMethod(),
                RevokeTokenResponse.newBuilder().setToken(TOKEN).build());
    }

    @Test
    void issuesATokenOfTheCaller() {
        var issued = post("/api/v1/tokens", """
                {"name": "laptop", "valid_for": "720h",
                 "restrictions": {"workspaces": ["team-a"], "folders": ["reports"], "role_max": "runner"}}""");

        assertIssued(issued);
        assertThat(scheduler.requests)
                .containsExactly(CreateTokenRequest.newBuilder()
                        .setName("laptop")
                        .setValidFor(Duration.newBuilder().setSeconds(2_592_000))
                        .setRestrictions(CUT)
                        .build());
    }

    @Test
    void issuesATokenOfAnotherUser() {
        assertIssued(post("/api/v1/tokens", "{\"user\": \"bob\", \"name\": \"laptop\"}"));

        assertThat(scheduler.requests)
                .containsExactly(CreateUserTokenRequest.newBuilder()
                        .setUser("bob")
                        .setToken(CreateTokenRequest.newBuilder().setName("laptop"))
                        .build());
    }

    @Test
    void issuesTokensOfPrograms() {
        assertIssued(post("/api/v1/workspaces/team-a/service-accounts/ci/tokens", "{\"name\": \"nightly\"}"));
        assertIssued(post("/api/v1/workspaces/team-a/worker-tokens", "{\"name\": \"gpu\", \"tags\": [\"gpu\"]}"));
        assertIssued(post(
                "/api/v1/shared-tokens", "{\"kind\": \"gateway\", \"name\": \"g1\", \"workspaces\": [\"team-a\"]}"));

        assertThat(scheduler.requests)
                .containsExactly(
                        CreateServiceAccountTokenRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setServiceAccount("ci")
                                .setToken(CreateTokenRequest.newBuilder().setName("nightly"))
                                .build(),
                        CreateWorkerTokenRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setName("gpu")
                                .addTags("gpu")
                                .build(),
                        CreateSharedTokenRequest.newBuilder()
                                .setKind(Token.Kind.KIND_GATEWAY)
                                .setName("g1")
                                .addWorkspaces("team-a")
                                .build());
    }

    @Test
    void refusesSharedTokensOfPeople() {
        problem(post("/api/v1/shared-tokens", "{\"kind\": \"user\", \"name\": \"x\"}"), 400, "invalid_argument");
    }

    @Test
    void listsTokensWithoutTheirTexts() {
        var page = get("/api/v1/tokens?workspace=team-a&all=true");

        assertThat(page.body()).doesNotContain("secret");
        assertThat(json(page)
                        .path("items")
                        .path(0)
                        .path("restrictions")
                        .path("role_max")
                        .asText())
                .isEqualTo("runner");
        assertThat(json(page).path("items").path(0).has("revoke_time")).isFalse();
        assertThat(scheduler.requests)
                .containsExactly(ListTokensRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setAll(true)
                        .build());
    }

    @Test
    void revokesATokenByItsIdOrTheOneThatIsShown() {
        delete("/api/v1/tokens/" + ID);
        delete("/api/v1/tokens/current");

        assertThat(scheduler.requests)
                .containsExactly(
                        RevokeTokenRequest.newBuilder().setId(ID).build(), RevokeTokenRequest.getDefaultInstance());
    }

    private void assertIssued(HttpResponse<String> issued) {
        assertThat(issued.statusCode()).as(issued.body()).isEqualTo(201);
        assertThat(issued.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(json(issued).path("secret").asText()).isEqualTo(SECRET);
        assertThat(json(issued).path("token").path("kind").asText()).isEqualTo("user");
    }
}
