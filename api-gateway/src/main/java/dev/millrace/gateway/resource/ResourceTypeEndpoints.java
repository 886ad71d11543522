package dev.millrace.gateway.resource;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.secret.v1.DeleteResourceTypeRequest;
import dev.millrace.proto.secret.v1.ListResourceTypesRequest;
import dev.millrace.proto.secret.v1.PutResourceTypeRequest;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.ResourceType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that write, list and delete types of resources. */
public final class ResourceTypeEndpoints {

    private static final String TYPES = "/api/v1/resource-types";
    private static final String TYPE = TYPES + "/{name}";

    private static final JsonFields<ResourceType.Builder> PUT = new JsonFields<ResourceType.Builder>()
            .required("schema", (json, type) -> type.setSchema(json.raw()))
            .field("description", (json, type) -> type.setDescription(json.text()));

    private final Scheduler scheduler;

    public ResourceTypeEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(TYPES, Set.of(), this::list),
                Endpoint.put(TYPE, Set.of(), this::put),
                Endpoint.delete(TYPE, Set.of(), this::delete));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        return scheduler
                .call(
                        request.context(),
                        ResourceServiceGrpc.getListResourceTypesMethod(),
                        ListResourceTypesRequest.getDefaultInstance())
                .thenApply(found -> Answers.page(found.getTypesList(), "", ResourceTypeEndpoints::write));
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put = PutResourceTypeRequest.newBuilder()
                .setType(request.json(PUT, ResourceType.newBuilder()).setName(request.path("name")))
                .build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getPutResourceTypeMethod(), put)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getType())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteResourceTypeRequest.newBuilder()
                .setName(request.path("name"))
                .build();
        return scheduler
                .call(request.context(), ResourceServiceGrpc.getDeleteResourceTypeMethod(), delete)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getType())));
    }

    private static void write(JsonWriter json, ResourceType type) {
        json.text("name", type.getName());
        json.raw("schema", type.getSchema());
        json.text("description", type.getDescription());
    }
}
