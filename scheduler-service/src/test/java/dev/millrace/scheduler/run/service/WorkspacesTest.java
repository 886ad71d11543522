package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that resources of one workspace are hidden from other workspaces. */
class WorkspacesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler().withWorkspaces("mine");

    private static final String OWN = "mine";

    @Test
    void doesNothingToRunsOfAnotherInBulk() throws InterruptedException {
        Run run = submit(RunTarget.newBuilder().setHandler("nobody").build(), OWN);
        var bulks =
                BulkOperationServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
        BulkOperation bulk = bulks.startBulkOperation(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                        .setRunIds(RunIds.newBuilder().addIds(run.getId()))
                        .build())
                .getBulkOperation();
        GetBulkOperationRequest get = GetBulkOperationRequest.newBuilder()
                .setBulkOperationId(bulk.getId())
                .build();
        while (bulks.getBulkOperation(get).getBulkOperation().getState() != BulkOperation.State.STATE_ENDED) {
            Thread.onSpinWait();
        }

        assertThat(bulks.listBulkOperationRuns(ListBulkOperationRunsRequest.newBuilder()
                                .setBulkOperationId(bulk.getId())
                                .build())
                        .getRuns(0)
                        .getErrorCode())
                .isEqualTo("RUN_NOT_FOUND");
        for (StatusRuntimeException refused : List.of(
                failure(() ->
                        bulks.getBulkOperation(get.toBuilder().setWorkspace(OWN).build())),
                failure(() -> bulks.listBulkOperationRuns(ListBulkOperationRunsRequest.newBuilder()
                        .setBulkOperationId(bulk.getId())
                        .setWorkspace(OWN)
                        .build())),
                failure(() -> bulks.cancelBulkOperation(CancelBulkOperationRequest.newBuilder()
                        .setBulkOperationId(bulk.getId())
                        .setWorkspace(OWN)
                        .build())))) {
            assertThat(reason(refused)).isEqualTo("BULK_OPERATION_NOT_FOUND");
        }
    }

    @Test
    void findsNoScriptOfAnotherByItsHash() {
        String first = deployScript(OWN, "def main(): return 1");
        String second = deployScript(OWN, "def main(): return 2");

        for (String hash : List.of(first, second)) {
            assertThat(script(OWN, hash)).isEqualTo(hash);
            assertThat(reason(failure(() -> script("", hash)))).isEqualTo("SCRIPT_NOT_FOUND");
            RunTarget target = RunTarget.newBuilder().setScriptHash(hash).build();
            assertThat(submit(target, OWN).getTarget().getScriptHash()).isEqualTo(hash);
            assertThat(reason(failure(() -> submit(target, "")))).isEqualTo("SCRIPT_NOT_FOUND");
        }
        deployScript("", "def main(): return 1");
        assertThat(script("", first)).isEqualTo(first);
    }

    @Test
    void findsNoFlowOfAnotherByItsHash() {
        String hash = deployFlow(OWN);
        RunTarget target = RunTarget.newBuilder().setFlowHash(hash).build();

        assertThat(flow(OWN, hash)).isEqualTo(hash);
        assertThat(reason(failure(() -> flow("", hash)))).isEqualTo("FLOW_NOT_FOUND");
        assertThat(submit(target, OWN).getTarget().getFlowHash()).isEqualTo(hash);
        assertThat(reason(failure(() -> submit(target, "")))).isEqualTo("FLOW_NOT_FOUND");
        deployFlow("");
        assertThat(flow("", hash)).isEqualTo(hash);
        submit(target, "");
    }

    private static String deployScript(String workspace, String content) {
        return SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setPath("secret.py")
                        .setContent(ByteString.copyFromUtf8(content))
                        .build())
                .getScript()
                .getHash();
    }

    private static String script(String workspace, String hash) {
        return SCHEDULER
                .scripts()
                .getScript(GetScriptRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setHash(hash)
                        .build())
                .getScript()
                .getHash();
    }

    private static String deployFlow(String workspace) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(
                                "{millrace: v1, name: secret, steps: [{id: a, handler: nobody}]}"))
                        .build())
                .getFlow()
                .getHash();
    }

    private static String flow(String workspace, String hash) {
        return SCHEDULER
                .flows()
                .getFlow(GetFlowRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setHash(hash)
                        .build())
                .getFlow()
                .getHash();
    }

    private static Run submit(RunTarget target, String workspace) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun();
    }

    private static StatusRuntimeException failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
