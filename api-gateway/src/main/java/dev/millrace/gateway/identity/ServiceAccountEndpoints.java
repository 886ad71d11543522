package dev.millrace.gateway.identity;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.ListServiceAccountsRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.UpdateServiceAccountRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for service accounts, the programs of a workspace. */
public final class ServiceAccountEndpoints {

    private static final String ACCOUNTS = "/api/v1/service-accounts";

    private static final JsonFields<CreateServiceAccountRequest.Builder> CREATE = new JsonFields<
                    CreateServiceAccountRequest.Builder>()
            .required("name", (json, create) -> create.setName(json.text()));

    private static final JsonFields<UpdateServiceAccountRequest.Builder> UPDATE = new JsonFields<
                    UpdateServiceAccountRequest.Builder>()
            .field("disabled", (json, update) -> update.setDisabled(json.bool()))
            .field("may_act_as", (json, update) -> update.setMayActAs(json.bool()));

    private final Scheduler scheduler;

    public ServiceAccountEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(ACCOUNTS, Set.of("page_size", "page_token"), this::list),
                Endpoint.post(ACCOUNTS, Set.of(), this::create),
                Endpoint.patch(ACCOUNTS + "/{name}", Set.of(), this::update));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListServiceAccountsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getListServiceAccountsMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getServiceAccountsList(), page.getNextPageToken(), IdentityJson::principal));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var create =
                request.json(CREATE, CreateServiceAccountRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getCreateServiceAccountMethod(), create)
                .thenApply(created -> Answers.json(
                        HttpStatus.CREATED, json -> IdentityJson.principal(json, created.getServiceAccount())));
    }

    private CompletionStage<HttpResponse> update(ApiRequest request) {
        var update = request.json(UPDATE, UpdateServiceAccountRequest.newBuilder())
                .setName(request.path("name"))
                .build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getUpdateServiceAccountMethod(), update)
                .thenApply(updated -> Answers.json(json -> IdentityJson.principal(json, updated.getServiceAccount())));
    }
}
