package dev.millrace.gateway.key;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.secret.v1.EncryptionKey;
import dev.millrace.proto.secret.v1.KeyServiceGrpc;
import dev.millrace.proto.secret.v1.ListKeysRequest;
import dev.millrace.proto.secret.v1.RotateKeysRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list and rotate the keys that encrypt secrets. */
public final class KeyEndpoints {

    private static final String KEYS = "/api/v1/keys";

    private static final JsonFields<RotateKeysRequest.Builder> ROTATE =
            new JsonFields<RotateKeysRequest.Builder>().field("data", (json, rotate) -> rotate.setData(json.bool()));

    private final Scheduler scheduler;

    public KeyEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(KEYS, Set.of(), this::list).shared(),
                Endpoint.post(KEYS + ":rotate", Set.of(), this::rotate).shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        return scheduler
                .call(request.context(), KeyServiceGrpc.getListKeysMethod(), ListKeysRequest.getDefaultInstance())
                .thenApply(found -> Answers.json(json -> {
                    json.array("items", found.getKeysList(), KeyEndpoints::write);
                    json.integer("values_waiting", found.getValuesWaiting());
                }));
    }

    private CompletionStage<HttpResponse> rotate(ApiRequest request) {
        var rotate =
                request.optionalJson(ROTATE, RotateKeysRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), KeyServiceGrpc.getRotateKeysMethod(), rotate)
                .thenApply(rotated -> Answers.json(json -> {
                    json.text("key_id", rotated.getKeyId());
                    json.integer("workspaces", rotated.getWorkspaces());
                    json.integer("values_waiting", rotated.getValuesWaiting());
                }));
    }

    private static void write(JsonWriter json, EncryptionKey key) {
        json.text("id", key.getId());
        json.flag("current", key.getCurrent());
        json.flag("available", key.getAvailable());
        json.integer("workspaces", key.getWorkspaces());
        json.time("create_time", key.getCreatedAt());
    }
}
