package dev.millrace.scheduler.identity.login;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.login.v1.ApproveDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceResponse;
import dev.millrace.proto.login.v1.DenyDeviceRequest;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.GetDeviceRequest;
import dev.millrace.proto.login.v1.PollDeviceRequest;
import dev.millrace.proto.login.v1.PollDeviceResponse;
import dev.millrace.proto.login.v1.PollDeviceResponse.State;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins of programs that users approve. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceTest {
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final DeviceServiceGrpc.DeviceServiceBlockingStub program;

    DeviceTest(@TempDir Path folder) {
        Path owner = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(owner));
        calls = new IdentityCalls(scheduler, owner);
        program = DeviceServiceGrpc.newBlockingStub(scheduler.channel());
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void anApprovedProgramGetsATokenOfTheUserOnce() {
        AuthorizeDeviceResponse begun = begin();
        String user = calls.user("default", "", Role.ROLE_VIEWER);
        assertThat(poll(begun).getState()).isEqualTo(State.STATE_PENDING);
        assertThat(device(user)
                        .getDevice(GetDeviceRequest.newBuilder()
                                .setUserCode(begun.getUserCode())
                                .build())
                        .getDevice()
                        .getClientName())
                .isEqualTo("millrace on desk");

        approve(user, begun.getUserCode().toLowerCase(Locale.ROOT).replace("-", " "));
        PollDeviceResponse approved = poll(begun);

        assertThat(approved.getState()).isEqualTo(State.STATE_APPROVED);
        assertThat(approved.getToken().getKind()).isEqualTo(Token.Kind.KIND_USER);
        assertThat(approved.getToken().getName()).isEqualTo("millrace on desk");
        assertThat(approved.getToken().getExpireTime().getSeconds())
                .isLessThanOrEqualTo(Instant.now().getEpochSecond() + 30 * 86_400L);
        assertThat(name(approved.getSecret())).isEqualTo(name(user));
        assertThat(poll(begun).getState()).isEqualTo(State.STATE_EXPIRED);
        assertThat(reason(refusal(() -> approve(user, begun.getUserCode())))).isEqualTo("DEVICE_NOT_FOUND");
    }

    @Test
    void aProgramThatAsksTooOftenIsSlowedDown() {
        AuthorizeDeviceResponse begun = begin();

        assertThat(poll(begun).getState()).isEqualTo(State.STATE_PENDING);
        assertThat(poll(begun).getState()).isEqualTo(State.STATE_SLOW_DOWN);
    }

    @Test
    void aDeniedProgramGetsNothing() {
        AuthorizeDeviceResponse begun = begin();
        String user = calls.user("default", "", Role.ROLE_VIEWER);

        device(user)
                .denyDevice(DenyDeviceRequest.newBuilder()
                        .setUserCode(begun.getUserCode())
                        .build());

        assertThat(reason(refusal(() -> approve(user, begun.getUserCode())))).isEqualTo("DEVICE_NOT_FOUND");
        assertThat(poll(begun).getState()).isEqualTo(State.STATE_DENIED);
    }

    @Test
    void anExpiredCodeCannotBeApprovedOrUsed() {
        AuthorizeDeviceResponse begun = begin();
        String user = calls.user("default", "", Role.ROLE_VIEWER);
        scheduler
                .open()
                .run(dsl -> dsl.execute("update device_authorization set expires_at = now() - interval '1 second'"));

        assertThat(reason(refusal(() -> approve(user, begun.getUserCode())))).isEqualTo("DEVICE_NOT_FOUND");
        assertThat(poll(begun).getState()).isEqualTo(State.STATE_EXPIRED);
    }

    @Test
    void whoRevokesTheTokenAfterTheApprovalStopsTheProgram() {
        AuthorizeDeviceResponse begun = begin();
        String user = calls.user("default", "", Role.ROLE_VIEWER);
        approve(user, begun.getUserCode());
        TokenServiceGrpc.newBlockingStub(calls.with(user)).revokeToken(RevokeTokenRequest.getDefaultInstance());

        assertThat(poll(begun).getState()).isEqualTo(State.STATE_DENIED);
    }

    @Test
    void programsCannotApprove() {
        AuthorizeDeviceResponse begun = begin();
        String account = calls.serviceAccount("default", Role.ROLE_ADMIN);

        assertThat(reason(refusal(() -> approve(account, begun.getUserCode())))).isEqualTo("NO_PRINCIPAL");
        assertThat(code(refusal(() -> program.approveDevice(ApproveDeviceRequest.newBuilder()
                        .setUserCode(begun.getUserCode())
                        .build()))))
                .isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void guessingCodesIsBounded() {
        AuthorizeDeviceResponse begun = begin();
        String guesser = calls.user("default", "", Role.ROLE_VIEWER);
        for (int guess = 0; guess < 10; guess++) {
            assertThat(reason(refusal(() -> approve(guesser, "BBBB-BBBB")))).isEqualTo("DEVICE_NOT_FOUND");
        }

        assertThat(code(refusal(() -> approve(guesser, begun.getUserCode()))))
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        approve(calls.user("default", "", Role.ROLE_VIEWER), begun.getUserCode());
    }

    @Test
    void noCodeIsStoredAsItIs() {
        AuthorizeDeviceResponse begun = begin();

        String rows = scheduler
                .open()
                .run(dsl -> dsl.fetch("select * from device_authorization").formatCSV());

        assertThat(rows)
                .contains("millrace on desk")
                .doesNotContain(
                        begun.getDeviceCode(),
                        begun.getUserCode(),
                        begun.getUserCode().replace("-", ""));
    }

    private AuthorizeDeviceResponse begin() {
        return program.authorizeDevice(AuthorizeDeviceRequest.newBuilder()
                .setClientName("millrace on desk")
                .build());
    }

    private PollDeviceResponse poll(AuthorizeDeviceResponse begun) {
        return program.pollDevice(PollDeviceRequest.newBuilder()
                .setDeviceCode(begun.getDeviceCode())
                .build());
    }

    private void approve(String token, String userCode) {
        device(token)
                .approveDevice(
                        ApproveDeviceRequest.newBuilder().setUserCode(userCode).build());
    }

    private DeviceServiceGrpc.DeviceServiceBlockingStub device(String token) {
        return DeviceServiceGrpc.newBlockingStub(calls.with(token));
    }

    private String name(String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal()
                .getName();
    }

    private static StatusRuntimeException refusal(Runnable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call::run);
        assertThat(refusal).as("must be refused").isNotNull();
        return refusal;
    }
}
