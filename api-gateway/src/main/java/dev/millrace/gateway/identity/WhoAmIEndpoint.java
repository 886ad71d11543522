package dev.millrace.gateway.identity;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoint that tells callers who they are, and what they may do. */
public final class WhoAmIEndpoint {

    private final Scheduler scheduler;

    public WhoAmIEndpoint(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/whoami", Set.of(), this::whoAmI).shared());
    }

    private CompletionStage<HttpResponse> whoAmI(ApiRequest request) {
        return scheduler
                .call(request.context(), PrincipalServiceGrpc.getWhoAmIMethod(), WhoAmIRequest.getDefaultInstance())
                .thenApply(caller -> Answers.json(json -> {
                    json.object("principal", inner -> IdentityJson.principal(inner, caller.getPrincipal()));
                    json.optionalText("token_id", caller.getTokenId());
                    json.array("roles", caller.getRolesList(), IdentityJson::roleBinding);
                    if (caller.hasRestrictions()) {
                        json.object(
                                "restrictions", inner -> IdentityJson.restrictions(inner, caller.getRestrictions()));
                    }
                }));
    }
}
