package dev.millrace.gateway.version;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.version.v1.DeployedVersion;
import dev.millrace.proto.version.v1.ListVersionsRequest;
import dev.millrace.proto.version.v1.ListVersionsRequest.Kind;
import dev.millrace.proto.version.v1.VersionServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list the versions to which the paths of flows and scripts have led. */
public final class VersionEndpoints {
    private final Scheduler scheduler;

    public VersionEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        Set<String> page = Set.of("page_size", "page_token");
        return List.of(
                Endpoint.get("/api/v1/flow-versions/{*path}", page, request -> list(request, Kind.KIND_FLOW)),
                Endpoint.get("/api/v1/script-versions/{*path}", page, request -> list(request, Kind.KIND_SCRIPT)));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request, Kind kind) {
        var list = ListVersionsRequest.newBuilder()
                .setKind(kind)
                .setPath(request.path("path"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), VersionServiceGrpc.getListVersionsMethod(), list)
                .thenApply(found ->
                        Answers.page(found.getVersionsList(), found.getNextPageToken(), VersionEndpoints::version));
    }

    private static void version(JsonWriter json, DeployedVersion version) {
        json.integer("number", version.getNumber());
        json.text("hash", version.getHash());
        json.text("actor", version.getActor());
        json.text("message", version.getMessage());
        json.time("deploy_time", version.getDeployTime());
        json.flag("current", version.getCurrent());
    }
}
