package dev.millrace.gateway.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.CancelRunResponse;
import dev.millrace.proto.operation.v1.ListRunHistoryRequest;
import dev.millrace.proto.operation.v1.ListRunHistoryResponse;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsResponse;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RerunRunResponse;
import dev.millrace.proto.operation.v1.RunHistoryEntry;
import dev.millrace.proto.operation.v1.RunOperation;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.SkipStepResponse;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Operations on the runs of {@link FakeRuns}: cancels are applied, and the other requests are kept. */
public final class FakeOperations extends OperationServiceGrpc.OperationServiceImplBase {

    public final List<Message> requests = new CopyOnWriteArrayList<>();

    private static final RunSpec FLOW = RunSpec.newBuilder()
            .setTarget(RunTarget.newBuilder().setFlowHash("f00d"))
            .build();

    private final FakeRuns runs;
    private final List<RunOperation> recorded = new CopyOnWriteArrayList<>();

    FakeOperations(FakeRuns runs) {
        this.runs = runs;
    }

    @Override
    public void cancelRun(CancelRunRequest request, StreamObserver<CancelRunResponse> answer) {
        requests.add(request);
        try {
            var run = runs.cancel(request.getRunId(), request.getNote().getReason());
            recorded.add(RunOperation.newBuilder()
                    .setId("o" + recorded.size())
                    .setRunId(request.getRunId())
                    .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                    .setNote(request.getNote())
                    .setDetails(ByteString.copyFromUtf8("{}"))
                    .setCreateTime(Timestamp.newBuilder().setSeconds(1_700_000_002))
                    .build());
            answer.onNext(CancelRunResponse.newBuilder().setRun(run).build());
            answer.onCompleted();
        } catch (StatusRuntimeException refused) {
            answer.onError(refused);
        }
    }

    @Override
    public void rerunRun(RerunRunRequest request, StreamObserver<RerunRunResponse> answer) {
        requests.add(request);
        answer.onNext(RerunRunResponse.newBuilder()
                .setRun(FakeRuns.run("run-2", FLOW, false))
                .build());
        answer.onCompleted();
    }

    @Override
    public void skipStep(SkipStepRequest request, StreamObserver<SkipStepResponse> answer) {
        requests.add(request);
        answer.onNext(SkipStepResponse.newBuilder()
                .setRun(FakeRuns.run(request.getRunId(), FLOW, false))
                .build());
        answer.onCompleted();
    }

    @Override
    public void listRunOperations(ListRunOperationsRequest request, StreamObserver<ListRunOperationsResponse> answer) {
        answer.onNext(ListRunOperationsResponse.newBuilder()
                .addAllOperations(recorded)
                .build());
        answer.onCompleted();
    }

    @Override
    public void listRunHistory(ListRunHistoryRequest request, StreamObserver<ListRunHistoryResponse> answer) {
        answer.onNext(ListRunHistoryResponse.newBuilder()
                .addEntries(RunHistoryEntry.newBuilder()
                        .setKind(RunHistoryEntry.Kind.KIND_ANSWER)
                        .setTime(Timestamp.newBuilder().setSeconds(1))
                        .setStep("ask")
                        .setWhat("approve")
                        .setWho("ann")
                        .setDetails(ByteString.copyFromUtf8("{\"payload\":null}")))
                .build());
        answer.onCompleted();
    }
}
