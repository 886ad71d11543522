package dev.millrace.gateway.worker;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoint that lists workers. */
public final class WorkerEndpoints {

    private final Scheduler scheduler;

    public WorkerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/workers", Set.of("page_size", "page_token"), this::list)
                .shared());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListWorkersRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), WorkerServiceGrpc.getListWorkersMethod(), list)
                .thenApply(answer ->
                        Answers.page(answer.getWorkersList(), answer.getNextPageToken(), WorkerEndpoints::worker));
    }

    private static void worker(JsonWriter json, Worker worker) {
        json.text("session_id", worker.getSessionId());
        json.text("name", worker.getName());
        json.text("version", worker.getVersion());
        json.texts("runtimes", worker.getRuntimesMap());
        json.texts("labels", worker.getLabelsMap());
        json.array("slot_groups", worker.getSlotGroupsList(), WorkerEndpoints::slotGroup);
        json.integer("leased_jobs", worker.getLeasedJobs());
        json.time("connect_time", worker.getConnectTime());
        json.time("heartbeat_time", worker.getHeartbeatTime());
    }

    private static void slotGroup(JsonWriter json, SlotGroup group) {
        json.text("name", group.getName());
        json.texts("tags", group.getTagsList());
        json.integer("slots", group.getSlots());
        json.integer("prefetch", group.getPrefetch());
        json.text("pause_reason", group.getPauseReason());
    }
}
