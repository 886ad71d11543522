package dev.millrace.scheduler.operation;

import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsResponse;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PauseRunResponse;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunResponse;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.NoteReader;
import dev.millrace.scheduler.run.RunProtos;
import io.grpc.stub.StreamObserver;

/** Operations on runs over gRPC. */
public final class OperationGrpcService extends OperationServiceGrpc.OperationServiceImplBase {
    private final Operations operations;

    public OperationGrpcService(Operations operations) {
        this.operations = operations;
    }

    @Override
    public void pauseRun(PauseRunRequest request, StreamObserver<PauseRunResponse> observer) {
        Run run = operate(request.getRunId(), new RunOperation.Pause(), request.getNote());
        Unary.answer(observer, PauseRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void resumeRun(ResumeRunRequest request, StreamObserver<ResumeRunResponse> observer) {
        Run run = operate(request.getRunId(), new RunOperation.Resume(), request.getNote());
        Unary.answer(observer, ResumeRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void listRunOperations(
            ListRunOperationsRequest request, StreamObserver<ListRunOperationsResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var found = operations.list(RequestFields.runId(request.getRunId()), page);
        Unary.answer(
                observer,
                ListRunOperationsResponse.newBuilder()
                        .addAllOperations(found.items().stream()
                                .map(OperationProtos::operation)
                                .toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    private Run operate(String run, RunOperation operation, OperationNote note) {
        return RunProtos.run(operations.operate(
                RequestFields.runId(run), operation, NoteReader.read(note.getActor(), note.getReason())));
    }
}
