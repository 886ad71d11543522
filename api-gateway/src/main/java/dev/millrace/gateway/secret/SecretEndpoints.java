package dev.millrace.gateway.secret;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.secret.v1.DeleteSecretRequest;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that write, list and delete secrets. None of them answers with a value. */
public final class SecretEndpoints {

    private static final String SECRETS = "/api/v1/secrets";
    private static final String STORE_PREFIX = "STORE_";

    private static final JsonFields<SetSecretRequest.Builder> SET = new JsonFields<SetSecretRequest.Builder>()
            .field("value", (json, set) -> set.setValue(ByteString.copyFromUtf8(json.text())))
            .field("store", (json, set) -> set.setStore(store(json)))
            .field("description", (json, set) -> set.setDescription(json.text()))
            .field("create_only", (json, set) -> set.setCreateOnly(json.bool()));

    private final Scheduler scheduler;

    public SecretEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(SECRETS, Set.of("page_size", "page_token"), this::list),
                Endpoint.put(SECRETS + "/{*path}", Set.of(), this::set),
                Endpoint.delete(SECRETS + "/{*path}", Set.of("force"), this::delete));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListSecretsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), SecretServiceGrpc.getListSecretsMethod(), list)
                .thenApply(
                        page -> Answers.page(page.getSecretsList(), page.getNextPageToken(), SecretEndpoints::write));
    }

    private CompletionStage<HttpResponse> set(ApiRequest request) {
        var set = request.json(SET, SetSecretRequest.newBuilder())
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), SecretServiceGrpc.getSetSecretMethod(), set)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getSecret())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteSecretRequest.newBuilder()
                .setPath(request.path("path"))
                .setForce(request.flag("force"))
                .build();
        return scheduler
                .call(request.context(), SecretServiceGrpc.getDeleteSecretMethod(), delete)
                .thenApply(deleted -> Answers.json(json -> write(json, deleted.getSecret())));
    }

    private static Secret.Store store(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(Secret.Store.class, STORE_PREFIX, name)
                .orElseThrow(() -> json.wrong(
                        "is \"" + name + "\" (expected: " + EnumNames.known(Secret.Store.class, STORE_PREFIX) + ")"));
    }

    private static void write(JsonWriter json, Secret secret) {
        json.text("path", secret.getPath());
        json.text("store", EnumNames.json(secret.getStore(), STORE_PREFIX));
        json.text("description", secret.getDescription());
        json.integer("version", secret.getVersion());
        json.array("versions", secret.getVersionsList(), (item, version) -> {
            item.integer("version", version.getVersion());
            item.text("created_by", version.getCreatedBy());
            item.time("create_time", version.getCreatedAt());
        });
        json.texts("used_by", secret.getUsedByList());
        json.array("other_users", secret.getOtherUsersList(), (item, user) -> {
            item.text("kind", user.getKind());
            item.text("path", user.getPath());
        });
    }
}
