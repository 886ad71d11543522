package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** An admin of one workspace reaches for what another workspace holds. */
final class ForeignAttackTest {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";
    private static final String MISSING = "0198f3a2-7b1c-7000-8000-000000000000";
    private static final Set<Status.Code> HIDDEN = Set.of(Status.Code.NOT_FOUND, Status.Code.PERMISSION_DENIED);

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static Channel attacker;
    private static Channel victim;
    private static String theirRun = "";

    @BeforeAll
    static void start() {
        installation = GuardedInstallation.start("attack-foreign", folder);
        installation.workspace(OURS);
        installation.workspace(THEIRS);
        attacker = installation.with(installation.user(OURS, "", Role.ROLE_ADMIN));
        victim = installation.with(installation.user(THEIRS, "", Role.ROLE_ADMIN));
        theirRun = submit(victim, THEIRS, handler()).getId();
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Tag("attack-4")
    void noMethodFindsARunOfAnotherWorkspace() {
        for (RpcMethod method : RpcMethod.all(installation.anonymous())) {
            if (!method.has("run_id") || !method.has("workspace")) {
                continue;
            }
            for (String workspace : Set.of(OURS, THEIRS)) {
                Status foreign = callAbout(method, workspace, theirRun);
                Status missing = callAbout(method, workspace, MISSING);

                assertThat(foreign.getCode())
                        .as("%s in %s: %s", method.name(), workspace, foreign)
                        .isNotEqualTo(Status.Code.OK)
                        .isEqualTo(missing.getCode());
                assertThat(String.valueOf(foreign.getDescription()).replace(theirRun, MISSING))
                        .as("%s in %s, compared with a run that there is not", method.name(), workspace)
                        .isEqualTo(String.valueOf(missing.getDescription()));
            }
        }
        assertThat(run(theirRun).getState()).isEqualTo(Run.State.STATE_QUEUED);
    }

    @Test
    @Tag("attack-5")
    @Tag("attack-6")
    void aHashOpensNothingInAnotherWorkspace() {
        String flow = FlowServiceGrpc.newBlockingStub(victim)
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setWorkspace(THEIRS)
                        .setDefinition(ByteString.copyFrom(
                                "{millrace: v1, name: a/flow, steps: [{id: a, handler: nobody}]}", UTF_8))
                        .build())
                .getFlow()
                .getHash();
        String script = ScriptServiceGrpc.newBlockingStub(victim)
                .deployScript(DeployScriptRequest.newBuilder()
                        .setWorkspace(THEIRS)
                        .setPath("a/script.py")
                        .setContent(ByteString.copyFromUtf8("def main():\n    return 'theirs'\n"))
                        .build())
                .getScript()
                .getHash();

        assertThat(refusal(() -> FlowServiceGrpc.newBlockingStub(attacker)
                        .getFlow(GetFlowRequest.newBuilder()
                                .setWorkspace(OURS)
                                .setHash(flow)
                                .build())))
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refusal(() -> ScriptServiceGrpc.newBlockingStub(attacker)
                        .getScript(GetScriptRequest.newBuilder()
                                .setWorkspace(OURS)
                                .setHash(script)
                                .build())))
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refusal(() -> submit(
                        attacker, OURS, RunTarget.newBuilder().setFlowHash(flow).build())))
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refusal(() -> submit(
                        attacker,
                        OURS,
                        RunTarget.newBuilder().setScriptHash(script).build())))
                .isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    @Tag("attack-7")
    void aLaterMessageOfAStreamCannotChangeTheWorkspace() {
        int before = theirRuns();
        var end = new CompletableFuture<Status>();
        StreamObserver<SubmitRunBatchesRequest> batches = RunServiceGrpc.newStub(attacker)
                .submitRunBatches(new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitRunBatchesResponse response) {}

                    @Override
                    public void onError(Throwable failure) {
                        end.complete(Status.fromThrowable(failure));
                    }

                    @Override
                    public void onCompleted() {
                        end.complete(Status.OK);
                    }
                });
        RunSpec spec = RunSpec.newBuilder().setTarget(handler()).build();

        batches.onNext(SubmitRunBatchesRequest.newBuilder()
                .setWorkspace(OURS)
                .setRequestId("first")
                .addSpecs(spec)
                .build());
        batches.onNext(SubmitRunBatchesRequest.newBuilder()
                .setWorkspace(THEIRS)
                .setRequestId("second")
                .addSpecs(spec)
                .build());
        batches.onCompleted();

        assertThat(end.join().getCode()).isIn(HIDDEN);
        assertThat(theirRuns()).isEqualTo(before);
    }

    @Test
    @Tag("attack-8")
    void aBulkOperationReachesNoForeignRun() {
        BulkOperationServiceGrpc.BulkOperationServiceBlockingStub bulk =
                BulkOperationServiceGrpc.newBlockingStub(attacker);
        try {
            bulk.startBulkOperation(StartBulkOperationRequest.newBuilder()
                    .setWorkspace(OURS)
                    .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                    .setRunIds(RunIds.newBuilder()
                            .addIds(submit(attacker, OURS, handler()).getId())
                            .addIds(theirRun))
                    .build());
        } catch (StatusRuntimeException refused) {
            assertThat(refused.getStatus().getCode()).isIn(HIDDEN);
        }
        String own = submit(attacker, OURS, handler()).getId();
        bulk.startBulkOperation(StartBulkOperationRequest.newBuilder()
                .setWorkspace(OURS)
                .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                .setRunIds(RunIds.newBuilder().addIds(own))
                .build());

        // The second operation begins after the first, so once it is done, the first has had its time.
        Await.until(
                "the own run is canceled",
                Api.PATIENCE,
                () -> RunServiceGrpc.newBlockingStub(attacker)
                                .getRun(GetRunRequest.newBuilder()
                                        .setWorkspace(OURS)
                                        .setRunId(own)
                                        .build())
                                .getRun()
                                .getState()
                        == Run.State.STATE_CANCELED);
        assertThat(run(theirRun).getState()).isEqualTo(Run.State.STATE_QUEUED);
    }

    @Test
    @Tag("attack-9")
    void aPageTokenOfAnotherWorkspaceShowsNothingOfIt() {
        submit(victim, THEIRS, handler());
        submit(victim, THEIRS, handler());
        String token = RunServiceGrpc.newBlockingStub(victim)
                .listRuns(ListRunsRequest.newBuilder()
                        .setWorkspace(THEIRS)
                        .setPageSize(1)
                        .build())
                .getNextPageToken();
        assertThat(token).isNotEmpty();

        try {
            assertThat(RunServiceGrpc.newBlockingStub(attacker)
                            .listRuns(ListRunsRequest.newBuilder()
                                    .setWorkspace(OURS)
                                    .setPageToken(token)
                                    .build())
                            .getRunsList())
                    .allSatisfy(run -> assertThat(run.getWorkspace()).isEqualTo(OURS));
        } catch (StatusRuntimeException refused) {
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    private static Status callAbout(RpcMethod method, String workspace, String run) {
        return method.call(attacker, Map.of("run_id", run, "workspace", workspace, "step", "a", "name", "go"));
    }

    private static RunTarget handler() {
        return RunTarget.newBuilder().setHandler("nobody").build();
    }

    private static Run submit(Channel caller, String workspace, RunTarget target) {
        return RunServiceGrpc.newBlockingStub(caller)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun();
    }

    private static Run run(String id) {
        return RunServiceGrpc.newBlockingStub(victim)
                .getRun(GetRunRequest.newBuilder()
                        .setWorkspace(THEIRS)
                        .setRunId(id)
                        .build())
                .getRun();
    }

    private static int theirRuns() {
        return RunServiceGrpc.newBlockingStub(victim)
                .listRuns(ListRunsRequest.newBuilder()
                        .setWorkspace(THEIRS)
                        .setPageSize(1000)
                        .build())
                .getRunsCount();
    }

    /** The code with which the call is refused; OK if it is not. */
    private static Status.Code refusal(Executable call) {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call::execute);
        return refused == null
                ? Status.Code.OK
                : Objects.requireNonNull(refused.getStatus()).getCode();
    }
}
