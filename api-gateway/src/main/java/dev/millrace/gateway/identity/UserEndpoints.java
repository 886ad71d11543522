package dev.millrace.gateway.identity;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.ListUsersRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the users of the installation. */
public final class UserEndpoints {

    private static final String USERS = "/api/v1/users";

    private static final JsonFields<CreateUserRequest.Builder> CREATE =
            new JsonFields<CreateUserRequest.Builder>().required("name", (json, create) -> create.setName(json.text()));

    private static final JsonFields<UpdateUserRequest.Builder> UPDATE = new JsonFields<UpdateUserRequest.Builder>()
            .required("disabled", (json, update) -> update.setDisabled(json.bool()));

    private final Scheduler scheduler;

    public UserEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(USERS, Set.of("page_size", "page_token"), this::list)
                        .shared(),
                Endpoint.post(USERS, Set.of(), this::create).shared(),
                Endpoint.patch(USERS + "/{name}", Set.of(), this::update).shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListUsersRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getListUsersMethod(), list)
                .thenApply(page -> Answers.page(page.getUsersList(), page.getNextPageToken(), IdentityJson::principal));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var create = request.json(CREATE, CreateUserRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getCreateUserMethod(), create)
                .thenApply(created ->
                        Answers.json(HttpStatus.CREATED, json -> IdentityJson.principal(json, created.getUser())));
    }

    private CompletionStage<HttpResponse> update(ApiRequest request) {
        var update = request.json(UPDATE, UpdateUserRequest.newBuilder())
                .setName(request.path("name"))
                .build();
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getUpdateUserMethod(), update)
                .thenApply(updated -> Answers.json(json -> IdentityJson.principal(json, updated.getUser())));
    }
}
