package dev.millrace.gateway.identity;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.GrantOwnerRequest;
import dev.millrace.proto.identity.v1.ListOwnersRequest;
import dev.millrace.proto.identity.v1.RevokeOwnerRequest;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the owners of the installation. */
public final class OwnerEndpoints {

    private static final String OWNERS = "/api/v1/owners";

    private static final JsonFields<GrantOwnerRequest.Builder> GRANT = new JsonFields<GrantOwnerRequest.Builder>()
            .required("subject", (json, grant) -> grant.setSubject(json.text()));

    private final Scheduler scheduler;

    public OwnerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(OWNERS, Set.of("page_size", "page_token"), this::list)
                        .shared(),
                Endpoint.post(OWNERS, Set.of(), this::grant).shared(),
                Endpoint.delete(OWNERS + "/{subject}", Set.of(), this::revoke).shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListOwnersRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getListOwnersMethod(), list)
                .thenApply(
                        page -> Answers.page(page.getOwnersList(), page.getNextPageToken(), IdentityJson::roleBinding));
    }

    private CompletionStage<HttpResponse> grant(ApiRequest request) {
        var grant = request.json(GRANT, GrantOwnerRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getGrantOwnerMethod(), grant)
                .thenApply(granted -> Answers.json(json -> IdentityJson.roleBinding(json, granted.getRole())));
    }

    private CompletionStage<HttpResponse> revoke(ApiRequest request) {
        var revoke = RevokeOwnerRequest.newBuilder()
                .setSubject(request.path("subject"))
                .build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getRevokeOwnerMethod(), revoke)
                .thenApply(revoked -> Answers.json(json -> IdentityJson.roleBinding(json, revoked.getRole())));
    }
}
