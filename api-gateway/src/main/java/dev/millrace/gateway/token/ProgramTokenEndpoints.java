package dev.millrace.gateway.token;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that issue tokens of programs: of service accounts, workers and gateways. */
public final class ProgramTokenEndpoints {

    private static final String OF_ACCOUNT = "/api/v1/service-accounts/{name}/tokens";
    private static final String OF_WORKER = "/api/v1/worker-tokens";
    private static final String SHARED = "/api/v1/shared-tokens";

    private static final JsonFields<CreateTokenRequest.Builder> ACCOUNT = TokenJson.wish();

    private static final JsonFields<CreateWorkerTokenRequest.Builder> WORKER = new JsonFields<
                    CreateWorkerTokenRequest.Builder>()
            .required("name", (json, create) -> create.setName(json.text()))
            .field("valid_for", (json, create) -> create.setValidFor(json.duration()))
            .field("tags", (json, create) -> json.items(() -> create.addTags(json.text())));

    private static final JsonFields<CreateSharedTokenRequest.Builder> SHARED_TOKEN = new JsonFields<
                    CreateSharedTokenRequest.Builder>()
            .required("kind", (json, create) -> create.setKind(kind(json)))
            .required("name", (json, create) -> create.setName(json.text()))
            .field("valid_for", (json, create) -> create.setValidFor(json.duration()))
            .field("workspaces", (json, create) -> json.items(() -> create.addWorkspaces(json.text())))
            .field("tags", (json, create) -> json.items(() -> create.addTags(json.text())));

    private final Scheduler scheduler;

    public ProgramTokenEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(OF_ACCOUNT, Set.of(), this::ofAccount),
                Endpoint.post(OF_WORKER, Set.of(), this::ofWorker),
                Endpoint.post(SHARED, Set.of(), this::shared).shared());
    }

    private CompletionStage<HttpResponse> ofAccount(ApiRequest request) {
        var create = CreateServiceAccountTokenRequest.newBuilder()
                .setServiceAccount(request.path("name"))
                .setToken(request.json(ACCOUNT, CreateTokenRequest.newBuilder()))
                .build();
        return scheduler
                .call(request.context(), TokenServiceGrpc.getCreateServiceAccountTokenMethod(), create)
                .thenApply(issued -> TokenJson.issued(issued.getSecret(), issued.getToken()));
    }

    private CompletionStage<HttpResponse> ofWorker(ApiRequest request) {
        var create = request.json(WORKER, CreateWorkerTokenRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), TokenServiceGrpc.getCreateWorkerTokenMethod(), create)
                .thenApply(issued -> TokenJson.issued(issued.getSecret(), issued.getToken()));
    }

    private CompletionStage<HttpResponse> shared(ApiRequest request) {
        var create = request.json(SHARED_TOKEN, CreateSharedTokenRequest.newBuilder())
                .build();
        return scheduler
                .call(request.context(), TokenServiceGrpc.getCreateSharedTokenMethod(), create)
                .thenApply(issued -> TokenJson.issued(issued.getSecret(), issued.getToken()));
    }

    private static Token.Kind kind(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(Token.Kind.class, TokenJson.KIND_PREFIX, name)
                .filter(kind -> kind == Token.Kind.KIND_WORKER || kind == Token.Kind.KIND_GATEWAY)
                .orElseThrow(() -> json.wrong("is \"" + name + "\" (expected: worker or gateway)"));
    }
}
