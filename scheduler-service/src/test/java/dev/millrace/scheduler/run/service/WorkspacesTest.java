package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that resources of one workspace are hidden from other workspaces. */
class WorkspacesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final String OWN = "mine";
    /** Methods whose signed token names the run. */
    private static final Set<String> SIGNED = Set.of("GetWaitLink", "UseWaitLink");

    @Test
    void findsNoRunOfAnotherByItsId() {
        Run run = submit(RunTarget.newBuilder().setHandler("nobody").build(), OWN);

        List<String> checked = new ArrayList<>();
        for (ServiceDescriptor service : List.of(
                RunServiceGrpc.getServiceDescriptor(),
                LogServiceGrpc.getServiceDescriptor(),
                OperationServiceGrpc.getServiceDescriptor(),
                ExplainServiceGrpc.getServiceDescriptor(),
                SignalServiceGrpc.getServiceDescriptor())) {
            for (MethodDescriptor<?, ?> method : service.getMethods()) {
                var described = ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor()))
                        .getMethodDescriptor();
                FieldDescriptor id = described.getInputType().findFieldByName("run_id");
                if (id != null && !SIGNED.contains(described.getName())) {
                    DynamicMessage request = DynamicMessage.newBuilder(described.getInputType())
                            .setField(id, run.getId())
                            .build();
                    StatusRuntimeException refused = call(method, request);
                    assertThat(code(refused)).as(described.getFullName()).isEqualTo(Status.Code.NOT_FOUND);
                    assertThat(reason(refused)).as(described.getFullName()).isEqualTo("RUN_NOT_FOUND");
                    checked.add(described.getName());
                }
            }
        }

        assertThat(checked).hasSize(18);
        Run own = SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder()
                        .setRunId(run.getId())
                        .setWorkspace(OWN)
                        .build())
                .getRun();
        assertThat(own.getState()).isEqualTo(Run.State.STATE_QUEUED);
    }

    @Test
    void doesNothingToRunsOfAnotherInBulk() throws InterruptedException {
        Run run = submit(RunTarget.newBuilder().setHandler("nobody").build(), OWN);
        var bulks =
                BulkOperationServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(30, TimeUnit.SECONDS);
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

    private static StatusRuntimeException call(MethodDescriptor<?, ?> method, DynamicMessage request) {
        MethodDescriptor<DynamicMessage, byte[]> dynamic = MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(request), new Discarding())
                .setType(method.getType())
                .setFullMethodName(method.getFullMethodName())
                .build();
        return failure(() -> ClientCalls.blockingServerStreamingCall(
                        SCHEDULER.channel(),
                        dynamic.toBuilder()
                                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                .build(),
                        CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                        request)
                .forEachRemaining(_ -> {}));
    }

    private static StatusRuntimeException failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }

    /** Discards the responses of a method. */
    private static final class Discarding implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public java.io.InputStream stream(byte[] bytes) {
            return new java.io.ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(java.io.InputStream bytes) {
            return new byte[0];
        }
    }
}
