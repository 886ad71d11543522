package dev.millrace.scheduler.pin;

import dev.millrace.proto.operation.v1.ListPinnedRunsRequest;
import dev.millrace.proto.operation.v1.ListPinnedRunsResponse;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.PinRunRequest;
import dev.millrace.proto.operation.v1.PinRunResponse;
import dev.millrace.proto.operation.v1.PinServiceGrpc;
import dev.millrace.proto.operation.v1.UnpinRunRequest;
import dev.millrace.proto.operation.v1.UnpinRunResponse;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.NoteReader;
import dev.millrace.scheduler.run.RunProtos;
import io.grpc.stub.StreamObserver;

/** Serves pins over gRPC. */
public final class PinGrpcService extends PinServiceGrpc.PinServiceImplBase {
    private final Pins pins;

    public PinGrpcService(Pins pins) {
        this.pins = pins;
    }

    @Override
    public void pinRun(PinRunRequest request, StreamObserver<PinRunResponse> observer) {
        var run = pins.pin(RequestFields.run(request.getWorkspace(), request.getRunId()), note(request.getNote()));
        Unary.answer(
                observer, PinRunResponse.newBuilder().setRun(RunProtos.run(run)).build());
    }

    @Override
    public void unpinRun(UnpinRunRequest request, StreamObserver<UnpinRunResponse> observer) {
        var run = pins.unpin(RequestFields.run(request.getWorkspace(), request.getRunId()), note(request.getNote()));
        Unary.answer(
                observer,
                UnpinRunResponse.newBuilder().setRun(RunProtos.run(run)).build());
    }

    @Override
    public void listPinnedRuns(ListPinnedRunsRequest request, StreamObserver<ListPinnedRunsResponse> observer) {
        var found = pins.list(
                RequestFields.workspace(request.getWorkspace()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListPinnedRunsResponse.newBuilder()
                        .addAllPinnedRuns(found.items().stream()
                                .map(PinGrpcService::message)
                                .toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    private static dev.millrace.scheduler.queue.OperationNote note(OperationNote note) {
        return NoteReader.read(note.getActor(), note.getReason(), note.getRequestId());
    }

    private static dev.millrace.proto.operation.v1.PinnedRun message(PinnedRun pinned) {
        return dev.millrace.proto.operation.v1.PinnedRun.newBuilder()
                .setRunId(pinned.run().toString())
                .setNote(OperationNote.newBuilder().setActor(pinned.actor()).setReason(pinned.reason()))
                .setPinTime(TimeProtos.timestamp(pinned.time()))
                .build();
    }
}
