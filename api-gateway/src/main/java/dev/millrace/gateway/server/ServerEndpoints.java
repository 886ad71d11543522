package dev.millrace.gateway.server;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.server.v1.GetServerStatusRequest;
import dev.millrace.proto.server.v1.RetentionStatus;
import dev.millrace.proto.server.v1.ServerServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Tells what the installation keeps. */
public final class ServerEndpoints {

    private final Scheduler scheduler;

    public ServerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get("/api/v1/server/status", Set.of(), this::status).shared());
    }

    private CompletionStage<HttpResponse> status(ApiRequest request) {
        return scheduler
                .call(
                        request.context(),
                        ServerServiceGrpc.getGetServerStatusMethod(),
                        GetServerStatusRequest.getDefaultInstance())
                .thenApply(answer -> Answers.json(
                        json -> json.array("retention", answer.getRetentionList(), ServerEndpoints::retention)));
    }

    private static void retention(JsonWriter json, RetentionStatus status) {
        json.text("table", status.getTable());
        json.text("holds", status.getHolds());
        json.duration("age", status.getAge());
        json.optionalText("setting", status.getSetting());
        json.integer("rows_estimate", status.getRowsEstimate());
        json.integer("bytes", status.getBytes());
        json.time("oldest_time", status.getOldestTime());
        json.time("sweep_time", status.getSweepTime());
        json.integer("removed_rows", status.getRemovedRows());
        json.time("due_time", status.getDueTime());
        json.time("failure_time", status.getFailureTime());
        json.optionalText("error", status.getError());
    }
}
