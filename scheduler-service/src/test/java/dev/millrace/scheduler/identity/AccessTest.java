package dev.millrace.scheduler.identity;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeOwnerRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.worker.v1.DedicatedScriptServiceGrpc;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsRequest;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsResponse;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests what callers may do by their tokens, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {
    private final Path ownerToken;
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    AccessTest(@TempDir Path folder) {
        ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void deploy() {
        for (String path : new String[] {"shop/order", "ops/clean"}) {
            deploy(calls.owner(), path, "");
        }
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void whoHasNoTokenMayDoNothing() {
        StatusRuntimeException refusal = refusal(() ->
                RunServiceGrpc.newBlockingStub(scheduler.channel()).listRuns(ListRunsRequest.getDefaultInstance()));

        assertThat(code(refusal)).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal).hasMessageContaining("Bearer TOKEN");
    }

    @Test
    void theFirstStartWritesATokenThatOnlyItsUserMayRead() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ownerToken)))
                .isEqualTo("rw-------");
        var me = PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .whoAmI(WhoAmIRequest.getDefaultInstance());

        assertThat(me.getPrincipal().getName()).isEqualTo("owner");
        assertThat(me.getRolesList())
                .singleElement()
                .satisfies(role -> assertThat(role.getRole()).isEqualTo(Role.ROLE_OWNER));
    }

    @Test
    void aTokenWithATypingErrorIsUnknown() {
        String owner = calls.owner();
        String wrong = owner.substring(0, 10) + (owner.charAt(10) == 'x' ? 'y' : 'x') + owner.substring(11);

        assertThat(code(refusal(() -> get(wrong, "", submit(calls.owner(), "shop/order")))))
                .isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void aViewerSeesAndDoesNothingElse() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String run = submit(calls.owner(), "shop/order");

        assertThat(get(viewer, "", run).getId()).isEqualTo(run);
        StatusRuntimeException refusal = refusal(() -> submit(viewer, "shop/order"));
        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("needs the role runner");
        assertThat(code(refusal(() -> cancel(viewer, run, "")))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aRunnerStartsWhatIsDeployedAndNothingElse() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);

        Run run = get(runner, "", submit(runner, "shop/order"));
        assertThat(run.getStartedBy()).startsWith("user");
        assertThat(code(refusal(() -> submit(
                        runner,
                        RunTarget.newBuilder().setFlowHash(run.getTarget().getFlowHash())))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> submit(runner, RunTarget.newBuilder().setHandler("any")))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> deploy(runner, "shop/order", "")))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aRoleInAFolderIsForThatFolder() {
        String shop = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        String other = submit(calls.owner(), "ops/clean");
        String own = submit(shop, "shop/order");

        assertThat(get(shop, "", own).getId()).isEqualTo(own);
        assertThat(reason(refusal(() -> get(shop, "", other)))).isEqualTo("RUN_NOT_FOUND");
        assertThat(reason(refusal(() -> cancel(shop, other, "")))).isEqualTo("RUN_NOT_FOUND");
        assertThat(code(refusal(() -> submit(shop, "ops/clean")))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> deploy(shop, "ops/new", "")))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(RunServiceGrpc.newBlockingStub(calls.with(shop))
                        .listRuns(ListRunsRequest.getDefaultInstance())
                        .getRunsList())
                .isNotEmpty()
                .allSatisfy(run -> assertThat(run.getName()).startsWith("shop/"));
        assertThat(FlowServiceGrpc.newBlockingStub(calls.with(shop))
                        .listFlows(ListFlowsRequest.getDefaultInstance())
                        .getFlowsList())
                .isNotEmpty()
                .allSatisfy(flow -> assertThat(flow.getPath()).startsWith("shop/"));
    }

    @Test
    void namesTheUsersOfAFlowThatTheCallerMaySee() {
        deploy(calls.owner(), "shop/used", "");
        deploy(calls.owner(), "shop/user", "shop/used");
        deploy(calls.owner(), "ops/user", "shop/used");

        assertThat(usedBy(calls.owner(), "shop/used")).containsExactly("ops/user", "shop/user");
        assertThat(usedBy(calls.user("default", "shop", Role.ROLE_VIEWER), "shop/used"))
                .containsExactly("shop/user");
    }

    private List<String> usedBy(String token, String flow) {
        return FlowServiceGrpc.newBlockingStub(calls.with(token))
                .getFlow(GetFlowRequest.newBuilder().setPath(flow).build())
                .getUsedByList();
    }

    @Test
    void aFlowCannotUseAFlowThatItsDeveloperMayNotRun() {
        String shop = calls.user("default", "shop", Role.ROLE_DEVELOPER);

        StatusRuntimeException refusal = refusal(() -> deploy(shop, "shop/sly", "ops/clean"));
        assertThat(reason(refusal)).isEqualTo("INVALID_FLOW");
        calls.grant("default", "ops", "user:" + name(shop), Role.ROLE_RUNNER);
        deploy(shop, "shop/sly", "ops/clean");
    }

    @Test
    void aRoleInOneWorkspaceIsNoneInAnother() {
        WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("acme").build());
        String stranger = calls.user("acme", "", Role.ROLE_ADMIN);
        String run = submit(calls.owner(), "shop/order");

        assertThat(reason(refusal(() -> get(stranger, "", run)))).isEqualTo("WORKSPACE_NOT_FOUND");
        assertThat(reason(refusal(() -> get(stranger, "acme", run)))).isEqualTo("RUN_NOT_FOUND");
    }

    @Test
    void nobodyNamesSomebodyElseAsActor() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "shop/order");

        cancel(runner, run, "boss");

        assertThat(OperationServiceGrpc.newBlockingStub(calls.with(runner))
                        .listRunOperations(ListRunOperationsRequest.newBuilder()
                                .setRunId(run)
                                .build())
                        .getOperationsList())
                .singleElement()
                .satisfies(
                        operation -> assertThat(operation.getNote().getActor()).isEqualTo(name(runner)));
    }

    @Test
    void aTokenGrantsNoMoreThanTheOneByWhichItWasIssued() {
        String admin = calls.user("default", "", Role.ROLE_ADMIN);
        String narrow =
                issue(admin, TokenRestrictions.newBuilder().addFolders("shop").setRoleMax(Role.ROLE_VIEWER));
        String again = issue(narrow, TokenRestrictions.newBuilder().setRoleMax(Role.ROLE_ADMIN));

        assertThat(code(refusal(() -> submit(again, "shop/order")))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(reason(refusal(() -> get(again, "", submit(admin, "ops/clean")))))
                .isEqualTo("RUN_NOT_FOUND");
        assertThat(code(refusal(
                        () -> issue(narrow, TokenRestrictions.newBuilder().addFolders("ops")))))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void aRestrictedTokenDoesNotLockItsOwnerOut() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String narrow = issue(viewer, TokenRestrictions.newBuilder().addFolders("shop"));
        TokenServiceGrpc.TokenServiceBlockingStub tokens = TokenServiceGrpc.newBlockingStub(calls.with(narrow));
        String other = PrincipalServiceGrpc.newBlockingStub(calls.with(viewer))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getTokenId();

        assertThat(reason(refusal(() -> tokens.revokeToken(
                        RevokeTokenRequest.newBuilder().setId(other).build()))))
                .isEqualTo("TOKEN_NOT_FOUND");
        assertThat(name(viewer)).startsWith("user");
        tokens.revokeToken(RevokeTokenRequest.getDefaultInstance());
        assertThat(code(refusal(() -> name(narrow)))).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void tellsCallersWhatTheirTokensAreRestrictedTo() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String narrow = issue(viewer, TokenRestrictions.newBuilder().addFolders("shop"));

        assertThat(restrictions(narrow).getFoldersList()).containsExactly("shop");
        assertThat(restrictions(viewer)).isEqualTo(TokenRestrictions.getDefaultInstance());
    }

    @Test
    void aRevokedTokenEndsStreamsToo() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String run = submit(calls.owner(), "shop/order");
        Iterator<WatchRunResponse> watch = RunServiceGrpc.newBlockingStub(calls.with(viewer))
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build());
        assertThat(watch.next().hasRun()).isTrue();

        TokenServiceGrpc.newBlockingStub(calls.with(viewer)).revokeToken(RevokeTokenRequest.getDefaultInstance());

        assertThat(code(refusal(() -> watch.forEachRemaining(_ -> {})))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(code(refusal(() -> get(viewer, "", run)))).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void aDisabledUserMayDoNothing() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String name = name(viewer);

        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .updateUser(UpdateUserRequest.newBuilder()
                        .setName(name)
                        .setDisabled(true)
                        .build());

        assertThat(code(refusal(() -> name(viewer)))).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void theLastOwnerStays() {
        var owner = calls.with(calls.owner());

        assertThat(reason(refusal(() -> RoleServiceGrpc.newBlockingStub(owner)
                        .revokeOwner(RevokeOwnerRequest.newBuilder()
                                .setSubject("user:owner")
                                .build()))))
                .isEqualTo("LAST_OWNER");
        assertThat(reason(refusal(() -> PrincipalServiceGrpc.newBlockingStub(owner)
                        .updateUser(UpdateUserRequest.newBuilder()
                                .setName("owner")
                                .setDisabled(true)
                                .build()))))
                .isEqualTo("LAST_OWNER");
    }

    @Test
    void aWorkerTokenOpensSessionsForItsTagsAndNothingElse() {
        String worker = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("rack 7")
                        .addTags("python")
                        .build())
                .getSecret();

        assertThat(hello(worker, "python").join().hasWelcome()).isTrue();
        assertThat(hello(worker, "deno"))
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("its token is for python only");
        assertThat(hello(calls.owner(), "python"))
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("is no worker");
        assertThat(code(refusal(() -> get(worker, "", submit(calls.owner(), "shop/order")))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aWorkerReadsDedicatedScriptsOfTheWorkspacesOfItsTokenOnly() {
        WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("dedicated").build());
        String worker = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkerToken(CreateWorkerTokenRequest.newBuilder()
                        .setWorkspace("dedicated")
                        .setName("rack 8")
                        .build())
                .getSecret();
        deploy(calls.owner(), "shop/secret", "");

        assertThat(refusal(() -> dedicated(worker, "default")).getMessage())
                .contains("There is no flow shop/secret in workspace default for this worker");
        assertThat(refusal(() -> dedicated(worker, "dedicated")).getMessage()).contains("in workspace dedicated");
        assertThat(dedicated(shared(), "default").getScriptsList()).isEmpty();
        assertThat(code(refusal(() -> dedicated(calls.owner(), "default")))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private String shared() {
        return TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("rack 9")
                        .build())
                .getSecret();
    }

    private GetDedicatedScriptsResponse dedicated(String token, String workspace) {
        return DedicatedScriptServiceGrpc.newBlockingStub(calls.with(token))
                .getDedicatedScripts(GetDedicatedScriptsRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setFlowPath("shop/secret")
                        .build());
    }

    private CompletableFuture<OpenSessionResponse> hello(String token, String tag) {
        CompletableFuture<OpenSessionResponse> answer = new CompletableFuture<>();
        StreamObserver<OpenSessionRequest> requests = WorkerSessionServiceGrpc.newStub(calls.with(token))
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .openSession(new StreamObserver<>() {
                    @Override
                    public void onNext(OpenSessionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(OpenSessionRequest.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorkerName("test")
                        .addSlotGroups(SlotGroup.newBuilder().setName(tag).addTags(tag)))
                .build());
        return answer;
    }

    private String issue(String token, TokenRestrictions.Builder restrictions) {
        return TokenServiceGrpc.newBlockingStub(calls.with(token))
                .createToken(CreateTokenRequest.newBuilder()
                        .setName("narrow")
                        .setRestrictions(restrictions)
                        .build())
                .getSecret();
    }

    private void deploy(String token, String path, String subFlow) {
        String step = subFlow.isEmpty() ? "handler: nobody" : "flow: " + subFlow;
        FlowServiceGrpc.newBlockingStub(calls.with(token))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName("f.yaml")
                        .setDefinition(
                                ByteString.copyFromUtf8("{millrace: v1, name: f, steps: [{id: a, " + step + "}]}"))
                        .build());
    }

    private String submit(String token, String flow) {
        return submit(token, RunTarget.newBuilder().setFlowPath(flow));
    }

    private String submit(String token, RunTarget.Builder target) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun()
                .getId();
    }

    private Run get(String token, String workspace, String run) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .getRun(GetRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build())
                .getRun();
    }

    private void cancel(String token, String run, String actor) {
        OperationServiceGrpc.newBlockingStub(calls.with(token))
                .cancelRun(CancelRunRequest.newBuilder()
                        .setRunId(run)
                        .setNote(OperationNote.newBuilder().setActor(actor))
                        .build());
    }

    private TokenRestrictions restrictions(String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getRestrictions();
    }

    private String name(String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal()
                .getName();
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }
}
