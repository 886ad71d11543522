package dev.millrace.scheduler.jobapi;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.audit.v1.AuditEvent;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.proto.worker.v1.JobValueServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReadResourceRequest;
import dev.millrace.proto.worker.v1.ReadResourceResponse;
import dev.millrace.proto.worker.v1.ReadSecretRequest;
import dev.millrace.proto.worker.v1.ReadStateRequest;
import dev.millrace.proto.worker.v1.ReadStateResponse;
import dev.millrace.proto.worker.v1.WriteResourceRequest;
import dev.millrace.proto.worker.v1.WriteSecretRequest;
import dev.millrace.proto.worker.v1.WriteStateRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests with whose rights running jobs read and write values, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobValuesTest {
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final SecretCalls secrets;
    private final String workerToken;
    private final HandlerWorker worker;

    JobValuesTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
        secrets = new SecretCalls(calls.with(calls.owner()));
        workerToken = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("rack 7")
                        .build())
                .getSecret();
        worker = new HandlerWorker(calls.with(workerToken), "handler:h");
    }

    @BeforeAll
    void deploy() {
        secrets.deploy("shop/order", "h", "{}");
        secrets.set("shop/key", "correct horse");
        secrets.set("billing/key", "battery staple");
        secrets.set("shared", "known to every developer");
    }

    @AfterAll
    void stop() {
        worker.close();
        scheduler.close();
    }

    @Test
    void aDeveloperOfTheFolderReadsItsSecretsAndThoseOfAll() throws InterruptedException {
        Lease lease = run(calls.user("default", "shop", Role.ROLE_DEVELOPER));

        assertThat(secret(lease, "shop/key")).isEqualTo("correct horse");
        assertThat(secret(lease, "shared")).isEqualTo("known to every developer");
        StatusRuntimeException refusal = refusal(() -> secret(lease, "billing/key"));
        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("needs the role developer").hasMessageContaining("billing");
        assertThat(reason(refusal(() -> secret(lease, "shop/nothing")))).isEqualTo("SECRET_NOT_FOUND");
        worker.succeed(lease, "1");
    }

    @Test
    void whoMayOnlyStartRunsReadsAndWritesNothing() throws InterruptedException {
        Lease lease = run(calls.user("default", "", Role.ROLE_RUNNER));

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> secret(lease, "shop/key"),
                () -> secret(lease, "shared"),
                () -> writeSecret(lease, "shop/key", "stolen horse"),
                () -> resource(lease, "shop/db"),
                () -> writeResource(lease, "shop/db", "{}"),
                () -> state(lease, "shop/other"))) {
            assertThat(code(refusal(call))).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        worker.succeed(lease, "1");
    }

    @Test
    void anOwnerIsADeveloperInTheWorkspaceOfTheRunAlone() throws InterruptedException {
        var _ = WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("other").build());
        var _ = secrets.secrets()
                .setSecret(SetSecretRequest.newBuilder()
                        .setWorkspace("other")
                        .setPath("shop/elsewhere")
                        .setValue(ByteString.copyFromUtf8("of another workspace"))
                        .build());
        Lease lease = run(calls.owner());

        assertThat(secret(lease, "billing/key")).isEqualTo("battery staple");
        for (String path : List.of("shop/elsewhere", "other/shop/elsewhere")) {
            assertThat(code(refusal(() -> secret(lease, path)))).isEqualTo(Status.Code.NOT_FOUND);
        }
        worker.succeed(lease, "1");
    }

    @Test
    void aRevokedTokenHasNoRightsAnyMore() throws InterruptedException {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        Lease lease = run(developer);
        assertThat(secret(lease, "shop/key")).isEqualTo("correct horse");

        var _ = TokenServiceGrpc.newBlockingStub(calls.with(developer))
                .revokeToken(RevokeTokenRequest.getDefaultInstance());

        StatusRuntimeException refusal = refusal(() -> secret(lease, "shop/key"));
        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("was revoked");
        worker.succeed(lease, "1");
    }

    @Test
    void aRunWhoseTokenWasNotKeptHasNoRights() throws InterruptedException {
        Lease lease = run(calls.owner());

        scheduler
                .database()
                .execute("update run_option set starter_credential = null where run_id = '%s'"
                        .formatted(lease.getRunId()));
        assertThat(refusal(() -> secret(lease, "shop/key"))).hasMessageContaining("It was not kept with which token");
        scheduler.database().execute("delete from run_option where run_id = '%s'".formatted(lease.getRunId()));
        StatusRuntimeException refusal = refusal(() -> secret(lease, "shop/key"));
        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("It is not known who started run " + lease.getRunId());
        worker.succeed(lease, "1");
    }

    @Test
    void whoStartsARunAgainIsItsStarter() throws InterruptedException {
        Lease first = run(calls.owner());
        worker.succeed(first, "1");
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        var _ = OperationServiceGrpc.newBlockingStub(calls.with(runner))
                .restartRun(RestartRunRequest.newBuilder()
                        .setRunId(first.getRunId())
                        .build());

        Lease again = worker.take();
        assertThat(code(refusal(() -> secret(again, "shop/key")))).isEqualTo(Status.Code.PERMISSION_DENIED);
        worker.succeed(again, "1");
    }

    @Test
    void aLostLeaseReadsAndWritesNothing() throws InterruptedException {
        Lease lease = run(calls.owner());
        Lease stale = lease.toBuilder().setLeaseToken(lease.getLeaseToken() + 1).build();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> secret(stale, "shop/key"),
                () -> writeSecret(stale, "shop/key", "stolen horse"),
                () -> resource(stale, "shop/db"),
                () -> writeResource(stale, "shop/db", "{}"),
                () -> state(stale, ""),
                () -> writeState(stale, "", "1"))) {
            assertThat(reason(refusal(call))).isEqualTo("LEASE_LOST");
        }
        assertThat(secret(lease, "shop/key")).isEqualTo("correct horse");
        worker.succeed(lease, "1");
    }

    @Test
    void writesWithTheRightsOfTheStarterAndFillsResources() throws InterruptedException {
        Lease lease = run(calls.user("default", "shop", Role.ROLE_DEVELOPER));
        secrets.put("shop/ref", "{\"password\": \"${{ secrets.shop.key }}\", \"port\": 5432}");

        ReadResourceResponse filled = resource(lease, "shop/ref");
        assertThat(filled.getValue().toStringUtf8()).isEqualTo("{\"password\":\"correct horse\",\"port\":5432}");
        assertThat(filled.getMaskedList()).extracting(ByteString::toStringUtf8).containsExactly("correct horse");
        writeSecret(lease, "shop/written", "by the job of a developer");
        assertThat(secret(lease, "shop/written")).isEqualTo("by the job of a developer");
        writeResource(lease, "shop/literal", "{\"a\":\"${{ secrets.billing.key }}\"}");
        assertThat(resource(lease, "shop/literal").getValue().toStringUtf8())
                .isEqualTo("{\"a\":\"${{ secrets.billing.key }}\"}");
        assertThat(code(refusal(() -> writeSecret(lease, "billing/key", "stolen horse"))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        worker.succeed(lease, "1");
    }

    @Test
    void anotherRunOfTheSameStepFindsTheState() throws InterruptedException {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        Lease first = run(runner);
        writeState(first, "", "null");
        assertThat(state(first, "").getFound()).isFalse();
        writeState(first, "", "{\"seen\": 3}");
        worker.succeed(first, "1");

        Lease second = run(runner);
        assertThat(state(second, "").getValue().toStringUtf8()).isEqualTo("{\"seen\": 3}");
        writeState(second, "", "null");
        assertThat(state(second, "").getFound()).isFalse();
        worker.succeed(second, "1");
    }

    @Test
    void theAuditNamesTheStarterTheJobAndThePath() throws InterruptedException {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        Lease lease = run(developer);

        String name = calls.name(developer);
        secret(lease, "shop/key");
        writeSecret(lease, "shop/audited", "never in the audit");

        assertThat(events())
                .filteredOn(event -> event.getDetail().contains(lease.getJobId()))
                .extracting(event -> event.getPrincipal() + " " + event.getAction() + " " + event.getSubject())
                .containsExactlyInAnyOrder(name + " ReadSecret shop/key", name + " WriteSecret shop/audited");
        assertThat(events().toString()).doesNotContain("never in the audit");
        worker.succeed(lease, "1");
    }

    private List<AuditEvent> events() {
        return AuditServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .listAuditEvents(ListAuditEventsRequest.getDefaultInstance())
                .getAuditEventsList();
    }

    private Lease run(String token) throws InterruptedException {
        var _ = RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/order")))
                        .build());
        return worker.take();
    }

    private JobValueServiceGrpc.JobValueServiceBlockingStub values() {
        return JobValueServiceGrpc.newBlockingStub(calls.with(workerToken));
    }

    private String secret(Lease lease, String path) {
        return values().readSecret(ReadSecretRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setPath(path)
                        .build())
                .getValue()
                .toStringUtf8();
    }

    private void writeSecret(Lease lease, String path, String value) {
        var _ = values().writeSecret(WriteSecretRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setPath(path)
                .setValue(ByteString.copyFromUtf8(value))
                .build());
    }

    private ReadResourceResponse resource(Lease lease, String path) {
        return values().readResource(ReadResourceRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setPath(path)
                .build());
    }

    private void writeResource(Lease lease, String path, String value) {
        var _ = values().writeResource(WriteResourceRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setPath(path)
                .setValue(ByteString.copyFromUtf8(value))
                .build());
    }

    private ReadStateResponse state(Lease lease, String path) {
        return values().readState(ReadStateRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setPath(path)
                .build());
    }

    private void writeState(Lease lease, String path, String value) {
        var _ = values().writeState(WriteStateRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setPath(path)
                .setValue(ByteString.copyFromUtf8(value))
                .build());
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was answered").isNotNull();
        return refusal;
    }
}
