package dev.millrace.scheduler.identity.login;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.UpdateServiceAccountRequest;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.DeleteTrustRequest;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.ExchangeTokenResponse;
import dev.millrace.proto.login.v1.ListTrustsRequest;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exchange of JWTs of a CI system for tokens of service accounts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenExchangeTest {
    private static final String AUDIENCE = "https://millrace.example";

    private final TestProvider issuer = new TestProvider();
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final TrustServiceGrpc.TrustServiceBlockingStub job;
    private final TrustServiceGrpc.TrustServiceBlockingStub admin;

    TokenExchangeTest(@TempDir Path folder) {
        Path owner = folder.resolve("owner");
        OidcConfig oidc = new OidcConfig(Optional.empty(), List.of(issuer.issuer()));
        scheduler = new RunningScheduler(config -> config.withAccess(new AccessConfig(true, owner).withOidc(oidc)));
        calls = new IdentityCalls(scheduler, owner);
        job = TrustServiceGrpc.newBlockingStub(scheduler.channel());
        admin = TrustServiceGrpc.newBlockingStub(calls.with(calls.owner()));
    }

    @BeforeAll
    void trust() {
        for (String name : new String[] {"deployer", "tester", "gone"}) {
            principals()
                    .createServiceAccount(CreateServiceAccountRequest.newBuilder()
                            .setName(name)
                            .build());
        }
        admin.createTrust(trust("deploy", "deployer", "refs/heads/main").build());
        admin.createTrust(trust("gone", "gone", "refs/heads/gone").build());
        admin.createTrust(trust("both-1", "deployer", "refs/heads/both").build());
        admin.createTrust(trust("both-2", "tester", "refs/heads/both").build());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        issuer.close();
    }

    @Test
    void aTrustedJobGetsATokenForFifteenMinutes() {
        ExchangeTokenResponse exchanged = exchange(jwt(claims -> claims));

        assertThat(exchanged.getToken().getKind()).isEqualTo(Token.Kind.KIND_SERVICE_ACCOUNT);
        assertThat(exchanged.getToken().getCreatedBy()).isEqualTo("jwt:repo:acme/shop");
        assertThat(exchanged.getToken().getExpireTime().getSeconds()
                        - Instant.now().getEpochSecond())
                .isBetween(840L, 900L);
        assertThat(PrincipalServiceGrpc.newBlockingStub(calls.with(exchanged.getSecret()))
                        .whoAmI(WhoAmIRequest.getDefaultInstance())
                        .getPrincipal()
                        .getName())
                .isEqualTo("deployer");
    }

    @Test
    void whatNobodyTrustsIsRefused() {
        List<String> bad = List.of(
                jwt(claims -> claims.claim("ref", "refs/heads/main2")),
                jwt(claims -> claims.claim("ref", null)),
                jwt(claims -> claims.audience("https://other.example")),
                jwt(claims -> claims.issuer("https://evil.example")),
                jwt(claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(61)))),
                jwt(claims -> claims.expirationTime(null)),
                new PlainJWT(claims().build()).serialize(),
                TestProvider.sign(claims(), TestProvider.foreignKey("first")),
                "not.a.jwt");

        for (String jwt : bad) {
            assertThat(reason(refusal(() -> exchange(jwt)))).as(jwt).isEqualTo("LOGIN_FAILED");
        }
    }

    @Test
    void whereSeveralAccountsTrustTheJobItNamesOne() {
        String jwt = jwt(claims -> claims.claim("ref", "refs/heads/both"));

        assertThat(reason(refusal(() -> exchange(jwt)))).isEqualTo("SEVERAL_ACCOUNTS");
        assertThat(job.exchangeToken(ExchangeTokenRequest.newBuilder()
                                .setJwt(jwt)
                                .setWorkspace("default")
                                .setServiceAccount("tester")
                                .build())
                        .getToken()
                        .getPrincipal())
                .isEqualTo("tester");
    }

    @Test
    void aDisabledAccountGetsNoToken() {
        String jwt = jwt(claims -> claims.claim("ref", "refs/heads/gone"));
        exchange(jwt);
        principals()
                .updateServiceAccount(UpdateServiceAccountRequest.newBuilder()
                        .setName("gone")
                        .setDisabled(true)
                        .build());

        assertThat(reason(refusal(() -> exchange(jwt)))).isEqualTo("LOGIN_FAILED");
    }

    @Test
    void adminsNameOnlyIssuersOfTheOwner() {
        CreateTrustRequest foreign = trust("foreign", "deployer", "x")
                .setIssuer("http://169.254.169.254")
                .build();

        assertThat(reason(refusal(() -> admin.createTrust(foreign)))).isEqualTo("ISSUER_NOT_TRUSTED");
        assertThat(code(refusal(() -> admin.createTrust(
                        trust("all", "deployer", "x").clearClaims().build()))))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(reason(refusal(
                        () -> admin.createTrust(trust("nobody", "missing", "x").build()))))
                .isEqualTo("PRINCIPAL_NOT_FOUND");
        assertThat(reason(refusal(
                        () -> admin.createTrust(trust("deploy", "tester", "x").build()))))
                .isEqualTo("NAME_TAKEN");
    }

    @Test
    void aDeletedTrustIsNoLongerOne() {
        admin.createTrust(trust("short", "tester", "refs/heads/short").build());
        String jwt = jwt(claims -> claims.claim("ref", "refs/heads/short"));
        exchange(jwt);

        admin.deleteTrust(DeleteTrustRequest.newBuilder().setName("short").build());

        assertThat(reason(refusal(() -> exchange(jwt)))).isEqualTo("LOGIN_FAILED");
        assertThat(admin.listTrusts(ListTrustsRequest.getDefaultInstance()).getTrustsList())
                .extracting(dev.millrace.proto.login.v1.Trust::getName)
                .contains("deploy")
                .doesNotContain("short");
        assertThat(reason(refusal(() -> admin.deleteTrust(
                        DeleteTrustRequest.newBuilder().setName("short").build()))))
                .isEqualTo("TRUST_NOT_FOUND");
    }

    private CreateTrustRequest.Builder trust(String name, String account, String ref) {
        return CreateTrustRequest.newBuilder()
                .setName(name)
                .setServiceAccount(account)
                .setIssuer(issuer.issuer())
                .setAudience(AUDIENCE)
                .putClaims("repository", "acme/shop")
                .putClaims("ref", ref);
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims()
                .audience(AUDIENCE)
                .subject("repo:acme/shop")
                .claim("repository", "acme/shop")
                .claim("ref", "refs/heads/main");
    }

    private String jwt(Function<JWTClaimsSet.Builder, JWTClaimsSet.Builder> change) {
        return issuer.sign(change.apply(claims()));
    }

    private ExchangeTokenResponse exchange(String jwt) {
        return job.exchangeToken(ExchangeTokenRequest.newBuilder().setJwt(jwt).build());
    }

    private PrincipalServiceGrpc.PrincipalServiceBlockingStub principals() {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()));
    }

    private static StatusRuntimeException refusal(Runnable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call::run);
        assertThat(refusal).as("must be refused").isNotNull();
        return refusal;
    }
}
