package dev.millrace.gateway.testing;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.CancelBulkOperationResponse;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationResponse;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsResponse;
import dev.millrace.proto.operation.v1.ListBulkOperationsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationsResponse;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.operation.v1.StartBulkOperationResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One operation on two runs, one of which rejected it; requests are recorded unchanged. */
public final class FakeBulks extends BulkOperationServiceGrpc.BulkOperationServiceImplBase {

    public final List<Object> requests = new CopyOnWriteArrayList<>();

    private static final BulkOperation BULK = BulkOperation.newBuilder()
            .setId("b1")
            .setOperation(OperationKind.OPERATION_KIND_SKIP)
            .setStep("a")
            .setState(BulkOperation.State.STATE_RUNNING)
            .setTotal(3)
            .setDone(1)
            .setFailed(1)
            .setNote(OperationNote.newBuilder().setActor("ann").setReason("why"))
            .setCreateTime(Timestamp.newBuilder().setSeconds(1_700_000_000))
            .build();

    @Override
    public void startBulkOperation(
            StartBulkOperationRequest request, StreamObserver<StartBulkOperationResponse> answer) {
        requests.add(request);
        answer(
                answer,
                StartBulkOperationResponse.newBuilder().setBulkOperation(BULK).build());
    }

    @Override
    public void getBulkOperation(GetBulkOperationRequest request, StreamObserver<GetBulkOperationResponse> answer) {
        requests.add(request);
        answer(
                answer,
                GetBulkOperationResponse.newBuilder().setBulkOperation(BULK).build());
    }

    @Override
    public void listBulkOperations(
            ListBulkOperationsRequest request, StreamObserver<ListBulkOperationsResponse> answer) {
        requests.add(request);
        answer(
                answer,
                ListBulkOperationsResponse.newBuilder().addBulkOperations(BULK).build());
    }

    @Override
    public void listBulkOperationRuns(
            ListBulkOperationRunsRequest request, StreamObserver<ListBulkOperationRunsResponse> answer) {
        requests.add(request);
        answer(
                answer,
                ListBulkOperationRunsResponse.newBuilder()
                        .addRuns(BulkOperationRun.newBuilder()
                                .setRunId("r1")
                                .setState(BulkOperationRun.State.STATE_FAILED)
                                .setErrorCode("RUN_ENDED")
                                .setErrorMessage("It has ended."))
                        .addRuns(BulkOperationRun.newBuilder()
                                .setRunId("r2")
                                .setState(BulkOperationRun.State.STATE_LEFT_OUT))
                        .build());
    }

    @Override
    public void cancelBulkOperation(
            CancelBulkOperationRequest request, StreamObserver<CancelBulkOperationResponse> answer) {
        requests.add(request);
        answer(
                answer,
                CancelBulkOperationResponse.newBuilder()
                        .setBulkOperation(BULK.toBuilder()
                                .setState(BulkOperation.State.STATE_CANCELING)
                                .setCancelNote(request.getNote()))
                        .build());
    }

    private static <T> void answer(StreamObserver<T> observer, T response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
