package dev.millrace.gateway.resource;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.secret.v1.DeleteResourceRequest;
import dev.millrace.proto.secret.v1.GetResourceRequest;
import dev.millrace.proto.secret.v1.ListResourcesRequest;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.Resource;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that write, show, list and delete resources. */
public final class ResourceEndpoints {

    private static final String RESOURCES = "/api/v1/resources";
    private static final String RESOURCE = RESOURCES + "/{*path}";

    private static final JsonFields<PutResourceRequest.Builder> PUT = new JsonFields<PutResourceRequest.Builder>()
            .field("type", (json, put) -> put.setType(json.text()))
            .required("value", (json, put) -> put.setValue(json.raw()))
            .field("description", (json, put) -> put.setDescription(json.text()));

    private final Scheduler scheduler;

    public ResourceEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(RESOURCES, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(RESOURCE, Set.of(), this::get),
                Endpoint.put(RESOURCE, Set.of(), this::put),
                Endpoint.delete(RESOURCE, Set.of("force"), this::delete));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListResourcesRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getListResourcesMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getResourcesList(), page.getNextPageToken(), ResourceEndpoints::write));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetResourceRequest.newBuilder().setPath(request.path("path")).build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getGetResourceMethod(), get)
                .thenApply(found -> Answers.json(json -> write(json, found.getResource())));
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put = request.json(PUT, PutResourceRequest.newBuilder())
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getPutResourceMethod(), put)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getResource())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteResourceRequest.newBuilder()
                .setPath(request.path("path"))
                .setForce(request.flag("force"))
                .build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getDeleteResourceMethod(), delete)
                .thenApply(deleted -> Answers.json(json -> write(json, deleted.getResource())));
    }

    private static void write(JsonWriter json, Resource resource) {
        json.text("path", resource.getPath());
        json.optionalText("type", resource.getType());
        json.raw("value", resource.getValue());
        json.text("description", resource.getDescription());
        json.text("updated_by", resource.getUpdatedBy());
        json.time("update_time", resource.getUpdatedAt());
        json.texts("used_by", resource.getUsedByList());
        json.array("other_users", resource.getOtherUsersList(), (item, user) -> {
            item.text("kind", user.getKind());
            item.text("path", user.getPath());
        });
    }
}
