package dev.millrace.scheduler.operation;

import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.CancelRunResponse;
import dev.millrace.proto.operation.v1.ListRunHistoryRequest;
import dev.millrace.proto.operation.v1.ListRunHistoryResponse;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsResponse;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PauseRunResponse;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RerunRunResponse;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.RestartRunResponse;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunResponse;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.operation.v1.RetryRunResponse;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.SkipStepResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.NoteReader;
import dev.millrace.scheduler.run.RunProtos;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Serves operations on runs over gRPC. */
public final class OperationGrpcService extends OperationServiceGrpc.OperationServiceImplBase {
    private static final int STEP_KEY_LENGTH_MAX = 10_000;

    private final Operations operations;

    public OperationGrpcService(Operations operations) {
        this.operations = operations;
    }

    @Override
    public void cancelRun(CancelRunRequest request, StreamObserver<CancelRunResponse> observer) {
        Run run = operate(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                new RunOperation.Cancel(),
                request.getNote());
        Unary.answer(observer, CancelRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void pauseRun(PauseRunRequest request, StreamObserver<PauseRunResponse> observer) {
        Run run = operate(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                new RunOperation.Pause(),
                request.getNote());
        Unary.answer(observer, PauseRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void resumeRun(ResumeRunRequest request, StreamObserver<ResumeRunResponse> observer) {
        Run run = operate(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                new RunOperation.Resume(),
                request.getNote());
        Unary.answer(observer, ResumeRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void retryRun(RetryRunRequest request, StreamObserver<RetryRunResponse> observer) {
        Run run = operate(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                new RunOperation.Retry(),
                request.getNote());
        Unary.answer(observer, RetryRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void restartRun(RestartRunRequest request, StreamObserver<RestartRunResponse> observer) {
        Run run = RunProtos.run(operations.restart(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                request.getInput(),
                note(request.getNote())));
        Unary.answer(observer, RestartRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void rerunRun(RerunRunRequest request, StreamObserver<RerunRunResponse> observer) {
        RerunRequest rerun = new RerunRequest(
                stepKey(request.getStep()),
                request.getInput(),
                Optional.of(request.getFlowHash()).filter(hash -> !hash.isEmpty()),
                request.getStepInput());
        Run run = RunProtos.run(operations.rerun(
                RequestFields.run(request.getWorkspace(), request.getRunId()), rerun, note(request.getNote())));
        Unary.answer(observer, RerunRunResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void skipStep(SkipStepRequest request, StreamObserver<SkipStepResponse> observer) {
        RunOperation skip = new RunOperation.Skip(stepKey(request.getStep()), operations.result(request.getResult()));
        Run run = operate(RequestFields.run(request.getWorkspace(), request.getRunId()), skip, request.getNote());
        Unary.answer(observer, SkipStepResponse.newBuilder().setRun(run).build());
    }

    @Override
    public void listRunOperations(
            ListRunOperationsRequest request, StreamObserver<ListRunOperationsResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var found = operations.list(RequestFields.run(request.getWorkspace(), request.getRunId()), page);
        Unary.answer(
                observer,
                ListRunOperationsResponse.newBuilder()
                        .addAllOperations(found.items().stream()
                                .map(OperationProtos::operation)
                                .toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void listRunHistory(ListRunHistoryRequest request, StreamObserver<ListRunHistoryResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var found = operations.history(RequestFields.run(request.getWorkspace(), request.getRunId()), page);
        Unary.answer(
                observer,
                ListRunHistoryResponse.newBuilder()
                        .addAllEntries(found.map(OperationProtos::entry).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    private static dev.millrace.scheduler.queue.OperationNote note(OperationNote note) {
        return NoteReader.read(note.getActor(), note.getReason(), note.getRequestId());
    }

    private static String stepKey(String given) {
        if (given.isEmpty() || given.length() > STEP_KEY_LENGTH_MAX || given.indexOf('\0') >= 0) {
            throw MillraceException.invalid(
                    "step", "is empty or too long (expected: the key of a step, for example count[3].tokenize)");
        }
        return given;
    }

    private Run operate(RunRef run, RunOperation operation, OperationNote note) {
        return RunProtos.run(operations.operate(run, operation, note(note)));
    }
}
