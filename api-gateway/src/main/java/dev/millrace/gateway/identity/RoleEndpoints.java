package dev.millrace.gateway.identity;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.ListRolesRequest;
import dev.millrace.proto.identity.v1.RevokeRoleRequest;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the roles in a workspace. */
public final class RoleEndpoints {

    private static final String ROLES = "/api/v1/roles";

    private static final JsonFields<GrantRoleRequest.Builder> GRANT = new JsonFields<GrantRoleRequest.Builder>()
            .field("folder", (json, grant) -> grant.setFolder(json.text()))
            .required("subject", (json, grant) -> grant.setSubject(json.text()))
            .required("role", (json, grant) -> grant.setRole(IdentityJson.role(json)));

    private final Scheduler scheduler;

    public RoleEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(ROLES, Set.of("page_size", "page_token"), this::list),
                Endpoint.post(ROLES, Set.of(), this::grant),
                Endpoint.delete(ROLES, Set.of("folder", "subject"), this::revoke));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListRolesRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getListRolesMethod(), list)
                .thenApply(
                        page -> Answers.page(page.getRolesList(), page.getNextPageToken(), IdentityJson::roleBinding));
    }

    private CompletionStage<HttpResponse> grant(ApiRequest request) {
        var grant = request.json(GRANT, GrantRoleRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getGrantRoleMethod(), grant)
                .thenApply(granted -> Answers.json(json -> IdentityJson.roleBinding(json, granted.getRole())));
    }

    private CompletionStage<HttpResponse> revoke(ApiRequest request) {
        var revoke = RevokeRoleRequest.newBuilder()
                .setFolder(request.query("folder"))
                .setSubject(request.query("subject"))
                .build();
        return scheduler
                .call(request.context(), RoleServiceGrpc.getRevokeRoleMethod(), revoke)
                .thenApply(revoked -> Answers.json(json -> IdentityJson.roleBinding(json, revoked.getRole())));
    }
}
