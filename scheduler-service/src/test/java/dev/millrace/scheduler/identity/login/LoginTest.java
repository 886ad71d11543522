package dev.millrace.scheduler.identity.login;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.BeginLoginResponse;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.FinishLoginResponse;
import dev.millrace.proto.login.v1.GetLoginOptionsRequest;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests logins at a provider, above all those that must fail. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginTest {
    private static final String CALLBACK = "https://millrace.example/login/callback";

    private final TestProvider provider = new TestProvider();
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final LoginServiceGrpc.LoginServiceBlockingStub logins;

    LoginTest(@TempDir Path folder) {
        Path owner = folder.resolve("owner");
        OidcConfig oidc = new OidcConfig(
                Optional.of(new OidcConfig.Provider(
                        provider.issuer(),
                        TestProvider.CLIENT,
                        Optional.empty(),
                        List.of("openid"),
                        "preferred_username",
                        "groups",
                        Set.of("reports"))),
                List.of());
        scheduler = new RunningScheduler(config -> config.withAccess(new AccessConfig(true, owner).withOidc(oidc)));
        calls = new IdentityCalls(scheduler, owner);
        logins = LoginServiceGrpc.newBlockingStub(scheduler.channel());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        provider.close();
    }

    @BeforeEach
    void beGood() {
        provider.setDown(false);
        provider.issue(provider::sign);
    }

    @Test
    void aLoginGivesASessionWithTheRightsOfTheGroups() {
        calls.grant("default", "", "group:builders", Role.ROLE_DEVELOPER);

        FinishLoginResponse session = logIn(claims -> claims);

        assertThat(session.getReturnTo()).isEqualTo("/runs?state=failed");
        assertThat(session.getToken().getKind()).isEqualTo(Token.Kind.KIND_SESSION);
        assertThat(session.getToken().getExpireTime().getSeconds()
                        - Instant.now().getEpochSecond())
                .isBetween(7 * 86_400L - 60, 7 * 86_400L);
        var me = PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                .whoAmI(WhoAmIRequest.getDefaultInstance());
        assertThat(me.getPrincipal().getName()).isEqualTo("ada");
        assertThat(me.getPrincipal().getKind()).isEqualTo(Principal.Kind.KIND_USER);
        assertThat(me.getPrincipal().getGroupsList()).containsExactly("builders");
        assertThat(me.getRolesList()).extracting(role -> role.getRole()).contains(Role.ROLE_DEVELOPER);
    }

    @Test
    void theGroupsAreThoseOfTheLastLogin() {
        FinishLoginResponse session = logIn(claims -> claims.subject("s2").claim("preferred_username", "bob"));
        logIn(claims ->
                claims.subject("s2").claim("preferred_username", "renamed").claim("groups", List.of("x", "y")));

        Principal bob = PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal();
        assertThat(bob.getGroupsList()).containsExactly("x", "y");
        assertThat(bob.getName()).as("records name the user by the first name").isEqualTo("bob");
    }

    @Test
    void theProviderIsAskedWithPkceStateAndNonce() {
        Map<String, String> query = TestProvider.query(begin().getAuthorizationUrl());

        assertThat(query)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", TestProvider.CLIENT)
                .containsEntry("redirect_uri", CALLBACK)
                .containsEntry("code_challenge_method", "S256")
                .containsKeys("state", "nonce", "code_challenge");
        assertThat(logins.getLoginOptions(GetLoginOptionsRequest.getDefaultInstance())
                        .getIssuer())
                .isEqualTo(provider.issuer());
    }

    record BadToken(String name, Function<LoginTest, Function<JWTClaimsSet.Builder, String>> token) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static BadToken signed(String name, Function<JWTClaimsSet.Builder, JWTClaimsSet.Builder> change) {
        return new BadToken(name, test -> claims -> test.provider.sign(change.apply(claims)));
    }

    private static Date secondsFromNow(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    static List<BadToken> badTokens() {
        return List.of(
                signed("another nonce", claims -> claims.claim("nonce", "another")),
                signed("no nonce", claims -> claims.claim("nonce", null)),
                signed("another issuer", claims -> claims.issuer("https://evil.example")),
                signed("another audience", claims -> claims.audience("somebody-else")),
                signed(
                        "an audience besides ours",
                        claims -> claims.audience(List.of(TestProvider.CLIENT, "spy"))
                                .claim("azp", TestProvider.CLIENT)),
                signed("expired", claims -> claims.expirationTime(secondsFromNow(-61))),
                signed("no expiry", claims -> claims.expirationTime(null)),
                signed("issued in the future", claims -> claims.issueTime(secondsFromNow(120))),
                signed("no subject", claims -> claims.subject(null)),
                new BadToken("algorithm none", _ -> claims -> new PlainJWT(claims.build()).serialize()),
                new BadToken(
                        "a foreign key with the id of ours",
                        test -> claims -> TestProvider.sign(claims, TestProvider.foreignKey(test.provider.keyId()))),
                new BadToken("changed after it was signed", test -> claims -> {
                    String[] parts = test.provider.sign(claims).split("\\.", -1);
                    return parts[0] + "."
                            + new PlainJWT(claims.subject("boss").build())
                                    .serialize()
                                    .split("\\.", -1)[1] + "." + parts[2];
                }));
    }

    @ParameterizedTest
    @MethodSource("badTokens")
    void aTokenThatIsNotRightIsRefused(BadToken bad) {
        provider.issue(bad.token().apply(this));

        StatusRuntimeException refusal = refusal(this::logIn);

        assertThat(code(refusal)).as(refusal.getMessage()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(reason(refusal)).isEqualTo("LOGIN_FAILED");
    }

    @Test
    void clocksMayDifferByAMinute() {
        logIn(claims -> claims.expirationTime(secondsFromNow(-50)).issueTime(secondsFromNow(-300)));
        logIn(claims -> claims.audience(List.of(TestProvider.CLIENT, "reports")).claim("azp", TestProvider.CLIENT));
    }

    @Test
    void anotherBrowserCannotFinishALogin() {
        BeginLoginResponse mine = begin();
        BeginLoginResponse other = begin();
        String code = provider.authorize(mine.getAuthorizationUrl());

        assertThat(reason(refusal(() -> finish(other.getTransaction(), state(mine), code, ""))))
                .isEqualTo("LOGIN_FAILED");
        assertThat(reason(refusal(() -> finish(mine.getTransaction(), state(other), code, ""))))
                .isEqualTo("LOGIN_FAILED");
        assertThat(finish(mine.getTransaction(), state(mine), code, "").getSecret())
                .startsWith("mrc_");
    }

    @Test
    void aLoginFinishesOnce() {
        BeginLoginResponse begun = begin();
        String code = provider.authorize(begun.getAuthorizationUrl());
        finish(begun.getTransaction(), state(begun), code, "");

        assertThat(reason(refusal(() -> finish(begun.getTransaction(), state(begun), code, ""))))
                .isEqualTo("LOGIN_FAILED");
    }

    @Test
    void strangersWhoBeginManyLoginsKeepNobodyOut() {
        BeginLoginResponse before = begin();
        scheduler.open().run(dsl -> dsl.execute("""
                insert into login_attempt (hash, state_hash, nonce, code_verifier, redirect_uri, return_to, expires_at, site)
                select sha256(i::text::bytea), '', '', '', '', '', now() + interval '10 minutes', '2001:db8:1::/48'
                from generate_series(1, 10000) i
                """));

        String code = provider.authorize(before.getAuthorizationUrl());
        assertThat(finish(before.getTransaction(), state(before), code, "").getSecret())
                .startsWith("mrc_");
        assertThat(logIn(claims -> claims).getSecret()).isNotEmpty();
        long rows = scheduler
                .open()
                .run(dsl -> dsl.fetchSingle("select count(*) from login_attempt where expires_at > now()")
                        .get(0, Long.class));
        assertThat(rows).as("logins in progress").isLessThanOrEqualTo(FairRows.ROWS_MAX);
        scheduler.open().run(dsl -> dsl.execute("delete from login_attempt"));
    }

    @Test
    void readsNoMoreOfAProvidersAnswerThanATokenTakes() {
        provider.issue(claims -> provider.sign(claims) + "x".repeat(1 << 20));
        BeginLoginResponse begun = begin();
        String code = provider.authorize(begun.getAuthorizationUrl());

        assertThat(refusal(() -> finish(begun.getTransaction(), state(begun), code, "")))
                .hasMessageContaining("does not answer to the end of the login");
    }

    @Test
    void aCodeOfAnotherLoginIsRefused() {
        BeginLoginResponse mine = begin();
        String foreign = provider.authorize(begin().getAuthorizationUrl());

        StatusRuntimeException refusal = refusal(() -> finish(mine.getTransaction(), state(mine), foreign, ""));

        assertThat(refusal).hasMessageContaining("invalid_grant");
    }

    @Test
    void aResponseOfAnotherProviderIsRefused() {
        BeginLoginResponse begun = begin();
        String code = provider.authorize(begun.getAuthorizationUrl());

        StatusRuntimeException refusal =
                refusal(() -> finish(begun.getTransaction(), state(begun), code, "https://evil.example"));

        assertThat(refusal).hasMessageContaining("does not come from");
    }

    @Test
    void aLoginExpires() {
        BeginLoginResponse begun = begin();
        String code = provider.authorize(begun.getAuthorizationUrl());
        scheduler.open().run(dsl -> dsl.execute("update login_attempt set expires_at = now() - interval '1 second'"));

        assertThat(reason(refusal(() -> finish(begun.getTransaction(), state(begun), code, ""))))
                .isEqualTo("LOGIN_FAILED");
    }

    @Test
    void aDisabledUserCannotLogInAndTheSessionEnds() {
        FinishLoginResponse session = logIn(claims -> claims.subject("s3").claim("preferred_username", "carl"));
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .updateUser(UpdateUserRequest.newBuilder()
                        .setName("carl")
                        .setDisabled(true)
                        .build());

        assertThat(code(refusal(() -> PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                        .whoAmI(WhoAmIRequest.getDefaultInstance()))))
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal(() -> logIn(claims -> claims.subject("s3").claim("preferred_username", "carl"))))
                .hasMessageContaining("carl is disabled");
    }

    @Test
    void nobodyTakesOverTheNameOfAnother() {
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createUser(CreateUserRequest.newBuilder().setName("root").build());

        StatusRuntimeException refusal =
                refusal(() -> logIn(claims -> claims.subject("s4").claim("preferred_username", "root")));

        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("belongs to another user");
    }

    @Test
    void aNameThatIsNoneIsRefusedWithTheSettingToChange() {
        assertThat(refusal(() -> logIn(claims -> claims.subject("s5").claim("preferred_username", "Ada L"))))
                .hasMessageContaining("millrace.oidc.name-claim");
    }

    @Test
    void keysAreFetchedAgainWhenAnUnknownOneAppears() {
        logIn(claims -> claims);
        provider.rotateKey("second");
        logIn(claims -> claims);
        int asked = provider.keysAsked();
        provider.issue(claims -> TestProvider.sign(claims, TestProvider.foreignKey("made up")));

        for (int i = 0; i < 5; i++) {
            refusal(this::logIn);
        }

        assertThat(provider.keysAsked() - asked)
                .as("the rate of fetches is bounded")
                .isLessThanOrEqualTo(2);
    }

    @Test
    void whileTheProviderIsDownSessionsGoOn() {
        FinishLoginResponse session = logIn(claims -> claims);
        BeginLoginResponse begun = begin();
        String code = provider.authorize(begun.getAuthorizationUrl());
        provider.setDown(true);

        StatusRuntimeException refusal = refusal(() -> finish(begun.getTransaction(), state(begun), code, ""));

        assertThat(code(refusal)).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(refusal).hasMessageContaining(provider.issuer()).hasMessageContaining("already stays so");
        assertThat(PrincipalServiceGrpc.newBlockingStub(calls.with(session.getSecret()))
                        .whoAmI(WhoAmIRequest.getDefaultInstance())
                        .getPrincipal()
                        .getName())
                .isEqualTo("ada");
    }

    private FinishLoginResponse logIn(Function<JWTClaimsSet.Builder, JWTClaimsSet.Builder> change) {
        provider.issue(claims -> provider.sign(change.apply(claims)));
        return logIn();
    }

    private FinishLoginResponse logIn() {
        BeginLoginResponse begun = begin();
        return finish(begun.getTransaction(), state(begun), provider.authorize(begun.getAuthorizationUrl()), "");
    }

    private BeginLoginResponse begin() {
        return logins.beginLogin(BeginLoginRequest.newBuilder()
                .setRedirectUri(CALLBACK)
                .setReturnTo("/runs?state=failed")
                .build());
    }

    private FinishLoginResponse finish(String transaction, String state, String code, String issuer) {
        return logins.finishLogin(FinishLoginRequest.newBuilder()
                .setTransaction(transaction)
                .setState(state)
                .setCode(code)
                .setIssuer(issuer)
                .build());
    }

    private static String state(BeginLoginResponse begun) {
        return TestProvider.query(begun.getAuthorizationUrl()).getOrDefault("state", "");
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("must be refused").isNotNull();
        return refusal;
    }
}
