package dev.millrace.gateway.workspace;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceRequest;
import dev.millrace.proto.workspace.v1.GetWorkspaceRequest;
import dev.millrace.proto.workspace.v1.ListWorkspacesRequest;
import dev.millrace.proto.workspace.v1.RenameWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceRequest;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.Workspace;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the workspaces of the installation. The address of a workspace names it in each request. */
public final class WorkspaceEndpoints {

    private static final String WORKSPACES = "/api/v1/workspaces";
    private static final String WORKSPACE = WORKSPACES + "/{workspace}";

    private static final JsonFields<CreateWorkspaceRequest.Builder> CREATE = new JsonFields<
                    CreateWorkspaceRequest.Builder>()
            .required("name", (json, create) -> create.setName(json.text()))
            .field("description", (json, create) -> create.setDescription(json.text()))
            .field("isolated", (json, create) -> create.setIsolated(json.bool()));

    private static final JsonFields<UpdateWorkspaceRequest.Builder> UPDATE = new JsonFields<
                    UpdateWorkspaceRequest.Builder>()
            .field("description", (json, update) -> update.setDescription(json.text()))
            .field("isolated", (json, update) -> update.setIsolated(json.bool()));

    private static final JsonFields<RenameWorkspaceRequest.Builder> RENAME = new JsonFields<
                    RenameWorkspaceRequest.Builder>()
            .required("new_name", (json, rename) -> rename.setNewName(json.text()));

    private final Scheduler scheduler;

    public WorkspaceEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(WORKSPACES, Set.of("page_size", "page_token"), this::list)
                        .shared(),
                Endpoint.post(WORKSPACES, Set.of(), this::create).shared(),
                Endpoint.get(WORKSPACE, Set.of(), this::get).shared(),
                Endpoint.patch(WORKSPACE, Set.of(), this::update).shared(),
                Endpoint.delete(WORKSPACE, Set.of("force"), this::delete).shared(),
                Endpoint.post(WORKSPACE + ":rename", Set.of(), this::rename).shared(),
                Endpoint.post(WORKSPACE + ":archive", Set.of(), this::archive).shared(),
                Endpoint.post(WORKSPACE + ":restore", Set.of(), this::restore).shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListWorkspacesRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), WorkspaceServiceGrpc.getListWorkspacesMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getWorkspacesList(), page.getNextPageToken(), WorkspaceEndpoints::write));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var create = request.json(CREATE, CreateWorkspaceRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkspaceServiceGrpc.getCreateWorkspaceMethod(), create)
                .thenApply(created -> Answers.located(
                        HttpStatus.CREATED,
                        WORKSPACES + "/" + created.getWorkspace().getName(),
                        json -> write(json, created.getWorkspace())));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        return scheduler
                .call(
                        request.context(),
                        WorkspaceServiceGrpc.getGetWorkspaceMethod(),
                        GetWorkspaceRequest.getDefaultInstance())
                .thenApply(found -> Answers.json(json -> write(json, found.getWorkspace())));
    }

    private CompletionStage<HttpResponse> update(ApiRequest request) {
        var update = request.json(UPDATE, UpdateWorkspaceRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkspaceServiceGrpc.getUpdateWorkspaceMethod(), update)
                .thenApply(updated -> Answers.json(json -> write(json, updated.getWorkspace())));
    }

    /** Answers before the workspace is gone, since its deletion takes a while. */
    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteWorkspaceRequest.newBuilder()
                .setForce(request.flag("force"))
                .build();
        return scheduler
                .call(request.context(), WorkspaceServiceGrpc.getDeleteWorkspaceMethod(), delete)
                .thenApply(begun -> Answers.json(HttpStatus.ACCEPTED, json -> write(json, begun.getWorkspace())));
    }

    private CompletionStage<HttpResponse> rename(ApiRequest request) {
        var rename = request.json(RENAME, RenameWorkspaceRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkspaceServiceGrpc.getRenameWorkspaceMethod(), rename)
                .thenApply(renamed -> Answers.json(json -> write(json, renamed.getWorkspace())));
    }

    private CompletionStage<HttpResponse> archive(ApiRequest request) {
        return scheduler
                .call(
                        request.context(),
                        WorkspaceServiceGrpc.getArchiveWorkspaceMethod(),
                        ArchiveWorkspaceRequest.getDefaultInstance())
                .thenApply(archived -> Answers.json(json -> write(json, archived.getWorkspace())));
    }

    private CompletionStage<HttpResponse> restore(ApiRequest request) {
        return scheduler
                .call(
                        request.context(),
                        WorkspaceServiceGrpc.getRestoreWorkspaceMethod(),
                        RestoreWorkspaceRequest.getDefaultInstance())
                .thenApply(restored -> Answers.json(json -> write(json, restored.getWorkspace())));
    }

    private static void write(JsonWriter json, Workspace workspace) {
        json.text("name", workspace.getName());
        json.text("description", workspace.getDescription());
        json.flag("isolated", workspace.getIsolated());
        json.text("state", EnumNames.json(workspace.getState(), "STATE_"));
        json.texts("former_names", workspace.getFormerNamesList());
        json.time("create_time", workspace.getCreateTime());
        json.optionalText("created_by", workspace.getCreatedBy());
        json.time("archive_time", workspace.getArchiveTime());
        json.time("delete_time", workspace.getDeleteTime());
    }
}
