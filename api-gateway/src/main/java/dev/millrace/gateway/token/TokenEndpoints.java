package dev.millrace.gateway.token;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.CreateUserTokenRequest;
import dev.millrace.proto.identity.v1.ListTokensRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that issue tokens of users, list tokens and revoke them. */
public final class TokenEndpoints {

    private static final String TOKENS = "/api/v1/tokens";

    /** Stands in an address for the id of the token that the caller has shown. */
    private static final String CURRENT = "current";

    /** Says which of the tokens that were issued by a token end with it. */
    private static final String ISSUED = "issued";

    private static final String ISSUED_PREFIX = "ISSUED_";

    private static final JsonFields<CreateUserTokenRequest.Builder> CREATE = new JsonFields<
                    CreateUserTokenRequest.Builder>()
            .field("user", (json, create) -> create.setUser(json.text()))
            .required("name", (json, create) -> create.getTokenBuilder().setName(json.text()))
            .field("valid_for", (json, create) -> create.getTokenBuilder().setValidFor(json.duration()))
            .field("restrictions", (json, create) -> TokenJson.restrictions(json, create.getTokenBuilder()));

    private final Scheduler scheduler;

    public TokenEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(TOKENS, Set.of("workspace", "all", "page_size", "page_token"), this::list)
                        .shared(),
                Endpoint.post(TOKENS, Set.of(), this::create).shared(),
                Endpoint.delete(TOKENS + "/{id}", Set.of(ISSUED), this::revoke).shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListTokensRequest.newBuilder()
                .setWorkspace(request.query("workspace"))
                .setAll(request.flag("all"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), TokenServiceGrpc.getListTokensMethod(), list)
                .thenApply(page -> Answers.page(page.getTokensList(), page.getNextPageToken(), TokenJson::write));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var create = request.json(CREATE, CreateUserTokenRequest.newBuilder()).build();
        return create.getUser().isEmpty()
                ? scheduler
                        .call(request.context(), TokenServiceGrpc.getCreateTokenMethod(), create.getToken())
                        .thenApply(issued -> TokenJson.issued(issued.getSecret(), issued.getToken()))
                : scheduler
                        .call(request.context(), TokenServiceGrpc.getCreateUserTokenMethod(), create)
                        .thenApply(issued -> TokenJson.issued(issued.getSecret(), issued.getToken()));
    }

    private CompletionStage<HttpResponse> revoke(ApiRequest request) {
        var id = request.path("id");
        var revoke = RevokeTokenRequest.newBuilder()
                .setId(id.equals(CURRENT) ? "" : id)
                .setIssued(issued(request.query(ISSUED)))
                .build();
        return scheduler
                .call(request.context(), TokenServiceGrpc.getRevokeTokenMethod(), revoke)
                .thenApply(revoked -> Answers.json(json -> {
                    TokenJson.write(json, revoked.getToken());
                    json.integer("issued_revoked", revoked.getIssuedRevoked());
                }));
    }

    private static RevokeTokenRequest.Issued issued(String name) {
        return name.isEmpty()
                ? RevokeTokenRequest.Issued.ISSUED_UNSPECIFIED
                : EnumNames.parse(RevokeTokenRequest.Issued.class, ISSUED_PREFIX, name)
                        .orElseThrow(() ->
                                ApiRequest.wrongQuery(ISSUED, "is \"" + name + "\" (expected: none, own or all)"));
    }
}
