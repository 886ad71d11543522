package dev.millrace.scheduler.workspace;

import dev.millrace.proto.workspace.v1.ArchiveWorkspaceRequest;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceResponse;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceResponse;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceRequest;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceResponse;
import dev.millrace.proto.workspace.v1.GetWorkspaceRequest;
import dev.millrace.proto.workspace.v1.GetWorkspaceResponse;
import dev.millrace.proto.workspace.v1.ListWorkspacesRequest;
import dev.millrace.proto.workspace.v1.ListWorkspacesResponse;
import dev.millrace.proto.workspace.v1.RenameWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RenameWorkspaceResponse;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceResponse;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceResponse;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** gRPC service for workspaces. */
public final class WorkspaceGrpcService extends WorkspaceServiceGrpc.WorkspaceServiceImplBase {
    private final Workspaces workspaces;

    public WorkspaceGrpcService(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    @Override
    public void createWorkspace(CreateWorkspaceRequest request, StreamObserver<CreateWorkspaceResponse> observer) {
        Violations violations = new Violations();
        String name = WorkspaceProtos.name("name", request.getName(), violations);
        String description = WorkspaceProtos.description(request.getDescription(), violations);
        violations.throwIfAny();
        var created = workspaces.create(
                name, description, request.getIsolated(), Access.current().name());
        Unary.answer(
                observer,
                CreateWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(created))
                        .build());
    }

    @Override
    public void getWorkspace(GetWorkspaceRequest request, StreamObserver<GetWorkspaceResponse> observer) {
        var found = workspaces.get(RequestFields.workspace(request.getWorkspace()));
        Unary.answer(
                observer,
                GetWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(found))
                        .build());
    }

    @Override
    public void listWorkspaces(ListWorkspacesRequest request, StreamObserver<ListWorkspacesResponse> observer) {
        var found = workspaces.list(Access.current(), PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListWorkspacesResponse.newBuilder()
                        .addAllWorkspaces(found.map(WorkspaceProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void updateWorkspace(UpdateWorkspaceRequest request, StreamObserver<UpdateWorkspaceResponse> observer) {
        Violations violations = new Violations();
        Workspace key = RequestFields.workspace(request.getWorkspace(), violations);
        Optional<String> description = request.hasDescription()
                ? Optional.of(WorkspaceProtos.description(request.getDescription(), violations))
                : Optional.empty();
        violations.throwIfAny();
        var updated = workspaces.update(
                key, description, request.hasIsolated() ? Optional.of(request.getIsolated()) : Optional.empty());
        Unary.answer(
                observer,
                UpdateWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(updated))
                        .build());
    }

    @Override
    public void renameWorkspace(RenameWorkspaceRequest request, StreamObserver<RenameWorkspaceResponse> observer) {
        Violations violations = new Violations();
        Workspace key = RequestFields.workspace(request.getWorkspace(), violations);
        String name = WorkspaceProtos.name("new_name", request.getNewName(), violations);
        violations.throwIfAny();
        Unary.answer(
                observer,
                RenameWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(workspaces.rename(key, name)))
                        .build());
    }

    @Override
    public void archiveWorkspace(ArchiveWorkspaceRequest request, StreamObserver<ArchiveWorkspaceResponse> observer) {
        var archived = workspaces.archive(RequestFields.workspace(request.getWorkspace()));
        Unary.answer(
                observer,
                ArchiveWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(archived))
                        .build());
    }

    @Override
    public void restoreWorkspace(RestoreWorkspaceRequest request, StreamObserver<RestoreWorkspaceResponse> observer) {
        var restored = workspaces.restore(RequestFields.workspace(request.getWorkspace()));
        Unary.answer(
                observer,
                RestoreWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(restored))
                        .build());
    }

    @Override
    public void deleteWorkspace(DeleteWorkspaceRequest request, StreamObserver<DeleteWorkspaceResponse> observer) {
        var deleting = workspaces.delete(RequestFields.workspace(request.getWorkspace()), request.getForce());
        Unary.answer(
                observer,
                DeleteWorkspaceResponse.newBuilder()
                        .setWorkspace(WorkspaceProtos.message(deleting))
                        .build());
    }
}
