package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenResponse;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks by callers without a token, and with tokens that are wrong, revoked, or of another kind. */
final class CredentialAttackTest {
    /** Methods that whoever reaches the server may call: ways to log in, and requests that hold what decides. */
    private static final Set<String> OPEN = Set.of(
            "millrace.login.v1.DeviceService/AuthorizeDevice",
            "millrace.login.v1.DeviceService/PollDevice",
            "millrace.login.v1.LoginService/BeginLogin",
            "millrace.login.v1.LoginService/FinishLogin",
            "millrace.login.v1.LoginService/GetLoginOptions",
            "millrace.login.v1.TrustService/ExchangeToken",
            "millrace.signal.v1.SignalService/GetWaitLink",
            "millrace.signal.v1.SignalService/UseWaitLink",
            "millrace.trigger.v1.TriggerService/ReceiveWebhook");

    /** More than the number of unknown tokens after which an address has to wait. */
    private static final int TYPING_ERRORS = 30;

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;

    @BeforeAll
    static void start() {
        installation = GuardedInstallation.start("attack-credential", folder);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Tag("attack-1")
    void nobodyCallsAnythingWithoutAToken() {
        for (RpcMethod method : RpcMethod.all(installation.anonymous())) {
            Status status = method.call(installation.anonymous(), Map.of());

            assertThat(status.getCode() == Status.Code.UNAUTHENTICATED)
                    .as("%s answered %s", method.name(), status)
                    .isEqualTo(!isOpen(method));
        }
        assertThat(new Api(installation.cluster().gatewayUrl())
                        .get("/api/v1/runs")
                        .status())
                .isEqualTo(401);
    }

    @Test
    @Tag("attack-2")
    void tokensWithTypingErrorsAreRefusedWithoutALookUp() {
        // An address whose tokens are looked up in vain has to wait after ten of them. The same token counts only once.
        for (int error = 0; error < TYPING_ERRORS; error++) {
            String wrong = withTypingError(installation.ownerToken(), error);
            assertThat(listRuns(installation.with(wrong)).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
        assertThat(listRuns(installation.with(installation.user("default", "", Role.ROLE_VIEWER)))
                        .getCode())
                .isEqualTo(Status.Code.OK);
    }

    @Test
    @Tag("attack-3")
    void aRevokedTokenEndsItsOpenStreams() {
        Channel owner = installation.owner();
        String user = installation.user("default", "", Role.ROLE_VIEWER);
        CreateTokenResponse token = TokenServiceGrpc.newBlockingStub(installation.with(user))
                .createToken(CreateTokenRequest.newBuilder().setName("stream").build());
        String run = submit(owner);
        var first = new CompletableFuture<WatchRunResponse>();
        var end = new CompletableFuture<Status>();
        RunServiceGrpc.newStub(installation.with(token.getSecret()))
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build(), new StreamObserver<>() {
                    @Override
                    public void onNext(WatchRunResponse response) {
                        first.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        end.complete(Status.fromThrowable(failure));
                    }

                    @Override
                    public void onCompleted() {
                        end.complete(Status.OK);
                    }
                });
        first.join();

        TokenServiceGrpc.newBlockingStub(installation.with(user))
                .revokeToken(RevokeTokenRequest.newBuilder()
                        .setId(token.getToken().getId())
                        .build());

        Await.until("the stream has ended", Api.PATIENCE, end::isDone);
        assertThat(end.join().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(listRuns(installation.with(token.getSecret())).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    @Tag("attack-15")
    void aWorkersTokenOpensSessionsAndNothingElse() {
        String worker = installation.worker("default");

        String run = submit(installation.owner());
        for (RpcMethod method : RpcMethod.all(installation.anonymous())) {
            if (isOpen(method) || isOfWorkers(method)) {
                continue;
            }
            Status status = method.call(installation.with(worker), Map.of("run_id", run));

            assertThat(status.getCode())
                    .as("%s answered %s", method.name(), status)
                    .isEqualTo(Status.Code.PERMISSION_DENIED);
        }
    }

    @Test
    void aGatewaysTokenAloneMayDoNothing() {
        String gateway = installation.gateway();

        assertThatThrownBy(() -> RunServiceGrpc.newBlockingStub(installation.with(gateway))
                        .listRuns(ListRunsRequest.getDefaultInstance()))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("PERMISSION_DENIED");
    }

    private static boolean isOfWorkers(RpcMethod method) {
        return method.name().startsWith("millrace.worker.v1.WorkerSessionService/")
                || method.name().startsWith("millrace.worker.v1.JobApiService/")
                || method.name().startsWith("millrace.worker.v1.JobValueService/")
                || method.name().startsWith("millrace.worker.v1.JobRunService/")
                || method.name().startsWith("millrace.worker.v1.JobBlobService/")
                || method.name().startsWith("millrace.worker.v1.DedicatedScriptService/");
    }

    private static boolean isOpen(RpcMethod method) {
        return OPEN.contains(method.name());
    }

    private static String submit(Channel channel) {
        return RunServiceGrpc.newBlockingStub(channel)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setHandler("nobody")))
                        .build())
                .getRun()
                .getId();
    }

    /** The token with another character at this place of its random part. */
    private static String withTypingError(String token, int place) {
        StringBuilder wrong = new StringBuilder(token);
        int index = "mru_".length() + place;
        wrong.setCharAt(index, wrong.charAt(index) == 'a' ? 'b' : 'a');
        return wrong.toString();
    }

    private static Status listRuns(Channel channel) {
        try {
            RunServiceGrpc.newBlockingStub(channel).listRuns(ListRunsRequest.getDefaultInstance());
            return Status.OK;
        } catch (StatusRuntimeException refusal) {
            return refusal.getStatus();
        }
    }
}
