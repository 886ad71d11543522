package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.DeleteTrustRequest;
import dev.millrace.proto.login.v1.ListTrustsRequest;
import dev.millrace.proto.login.v1.Trust;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** Endpoints for the trusts of a workspace in CI systems. */
public final class TrustEndpoints {

    private static final String TRUSTS = "/api/v1/trusts";

    private static final JsonFields<CreateTrustRequest.Builder> CREATE = new JsonFields<CreateTrustRequest.Builder>()
            .required("name", (json, create) -> create.setName(json.text()))
            .required("service_account", (json, create) -> create.setServiceAccount(json.text()))
            .required("issuer", (json, create) -> create.setIssuer(json.text()))
            .required("audience", (json, create) -> create.setAudience(json.text()))
            .required("claims", (json, create) -> json.texts(create::putClaims));

    private final Scheduler scheduler;

    public TrustEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(TRUSTS, Set.of("page_size", "page_token"), this::list),
                Endpoint.post(TRUSTS, Set.of(), this::create),
                Endpoint.delete(TRUSTS + "/{name}", Set.of(), this::delete));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListTrustsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), TrustServiceGrpc.getListTrustsMethod(), list)
                .thenApply(page -> Answers.page(page.getTrustsList(), page.getNextPageToken(), TrustEndpoints::write));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var create = request.json(CREATE, CreateTrustRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), TrustServiceGrpc.getCreateTrustMethod(), create)
                .thenApply(created -> Answers.json(HttpStatus.CREATED, json -> write(json, created.getTrust())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete =
                DeleteTrustRequest.newBuilder().setName(request.path("name")).build();
        return scheduler
                .call(request.context(), TrustServiceGrpc.getDeleteTrustMethod(), delete)
                .thenApply(_ -> HttpResponse.of(HttpStatus.NO_CONTENT));
    }

    private static void write(JsonWriter json, Trust trust) {
        json.text("workspace", trust.getWorkspace());
        json.text("name", trust.getName());
        json.text("service_account", trust.getServiceAccount());
        json.text("issuer", trust.getIssuer());
        json.text("audience", trust.getAudience());
        json.texts("claims", new TreeMap<>(trust.getClaimsMap()));
        json.text("created_by", trust.getCreatedBy());
        json.time("create_time", trust.getCreateTime());
    }
}
