package dev.millrace.scheduler.bulk;

import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.CancelBulkOperationResponse;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationResponse;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsResponse;
import dev.millrace.proto.operation.v1.ListBulkOperationsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationsResponse;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.operation.v1.StartBulkOperationResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.NoteReader;
import dev.millrace.scheduler.submission.RerunInputs;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Serves bulk operations over gRPC. */
public final class BulkGrpcService extends BulkOperationServiceGrpc.BulkOperationServiceImplBase {
    private final BulkOperations bulks;
    private final BulkRequestProtos requests;
    private final IdSource ids;

    public BulkGrpcService(BulkOperations bulks, RerunInputs inputs, IdSource ids) {
        this.bulks = bulks;
        this.requests = new BulkRequestProtos(inputs);
        this.ids = ids;
    }

    @Override
    public void startBulkOperation(
            StartBulkOperationRequest request, StreamObserver<StartBulkOperationResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        OperationNote note = note(request.getNote());
        OperationKind kind = BulkRequestProtos.kind(request);
        if (kind == OperationKind.SKIP || kind == OperationKind.RERUN) {
            // As for single runs: they decide which results the other steps see.
            Access.current().requireWorkspace(Role.DEVELOPER, workspace);
        }
        BulkAction action = requests.action(kind, request);
        String fingerprint = BulkRequestProtos.fingerprint(request);
        // The runs that match a filter may have changed since the first request.
        Bulk bulk = bulks.findRepeated(workspace, note, fingerprint)
                .orElseGet(() -> bulks.start(new NewBulk(
                        new BulkId(ids.nextUuid()),
                        workspace,
                        action,
                        note,
                        fingerprint,
                        runs(workspace, request, kind))));
        Unary.answer(
                observer,
                StartBulkOperationResponse.newBuilder()
                        .setBulkOperation(BulkProtos.bulk(bulk))
                        .build());
    }

    private List<RunId> runs(Workspace workspace, StartBulkOperationRequest request, OperationKind kind) {
        return switch (request.getSelectionCase()) {
            case RUN_IDS -> BulkRequestProtos.named(request.getRunIds());
            case FILTER -> bulks.select(workspace, BulkRequestProtos.filter(request.getFilter(), kind));
            case SELECTION_NOT_SET ->
                throw MillraceException.invalid("run_ids", "is missing: name the runs, or give a filter");
        };
    }

    @Override
    public void getBulkOperation(GetBulkOperationRequest request, StreamObserver<GetBulkOperationResponse> observer) {
        Bulk bulk = bulks.load(RequestFields.workspace(request.getWorkspace()), id(request.getBulkOperationId()));
        Unary.answer(
                observer,
                GetBulkOperationResponse.newBuilder()
                        .setBulkOperation(BulkProtos.bulk(bulk))
                        .build());
    }

    @Override
    public void listBulkOperations(
            ListBulkOperationsRequest request, StreamObserver<ListBulkOperationsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        var found = bulks.list(workspace, PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListBulkOperationsResponse.newBuilder()
                        .addAllBulkOperations(
                                found.items().stream().map(BulkProtos::bulk).toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void listBulkOperationRuns(
            ListBulkOperationRunsRequest request, StreamObserver<ListBulkOperationRunsResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        Set<Short> states =
                request.getStatesList().stream().map(BulkProtos::itemState).collect(Collectors.toSet());
        var found = bulks.items(
                RequestFields.workspace(request.getWorkspace()), id(request.getBulkOperationId()), states, page);
        Unary.answer(
                observer,
                ListBulkOperationRunsResponse.newBuilder()
                        .addAllRuns(found.items().stream().map(BulkProtos::item).toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void cancelBulkOperation(
            CancelBulkOperationRequest request, StreamObserver<CancelBulkOperationResponse> observer) {
        Bulk bulk = bulks.cancel(
                RequestFields.workspace(request.getWorkspace()),
                id(request.getBulkOperationId()),
                note(request.getNote()));
        Unary.answer(
                observer,
                CancelBulkOperationResponse.newBuilder()
                        .setBulkOperation(BulkProtos.bulk(bulk))
                        .build());
    }

    private static OperationNote note(dev.millrace.proto.operation.v1.OperationNote note) {
        return NoteReader.read(note.getActor(), note.getReason(), note.getRequestId());
    }

    private static BulkId id(String given) {
        Violations violations = new Violations();
        Optional<BulkId> id = violations.collect("bulk_operation_id", () -> BulkId.parse(given));
        violations.throwIfAny();
        return id.orElseThrow();
    }
}
