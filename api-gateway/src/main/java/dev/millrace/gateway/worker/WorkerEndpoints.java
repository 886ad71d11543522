package dev.millrace.gateway.worker;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.rpc.SharedAnswers;
import dev.millrace.proto.worker.v1.DrainWorkerRequest;
import dev.millrace.proto.worker.v1.KillWorkerRequest;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ListWorkersResponse;
import dev.millrace.proto.worker.v1.ResumeWorkerRequest;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerDrain;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list workers, drain them, and kill those that are for trials. */
public final class WorkerEndpoints {
    private static final String WORKERS = "/api/v1/workers";

    private static final JsonFields<DrainWorkerRequest.Builder> DRAIN = new JsonFields<DrainWorkerRequest.Builder>()
            .required("session_id", (json, drain) -> drain.setSessionId(json.text()))
            .field("reason", (json, drain) -> drain.setReason(json.text()));
    private static final JsonFields<ResumeWorkerRequest.Builder> RESUME = new JsonFields<ResumeWorkerRequest.Builder>()
            .required("session_id", (json, resume) -> resume.setSessionId(json.text()));
    private static final JsonFields<KillWorkerRequest.Builder> KILL = new JsonFields<KillWorkerRequest.Builder>()
            .required("session_id", (json, kill) -> kill.setSessionId(json.text()));

    private final Scheduler scheduler;
    private final SharedAnswers<ListWorkersRequest, ListWorkersResponse> workers;

    public WorkerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.workers = new SharedAnswers<>(scheduler, WorkerServiceGrpc.getListWorkersMethod());
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(WORKERS, Set.of("processes", "page_size", "page_token"), this::list)
                        .shared(),
                Endpoint.post(WORKERS + ":drain", Set.of(), this::drain).shared(),
                Endpoint.post(WORKERS + ":resume", Set.of(), this::resume).shared(),
                Endpoint.post(WORKERS + ":kill", Set.of(), this::kill).shared());
    }

    private CompletionStage<HttpResponse> drain(ApiRequest request) {
        var drain = request.json(DRAIN, DrainWorkerRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkerServiceGrpc.getDrainWorkerMethod(), drain)
                .whenComplete((_, _) -> workers.forget())
                .thenApply(drained -> Answers.json(json -> {
                    json.text("session_id", drain.getSessionId());
                    json.object("drain", inner -> drain(inner, drained.getDrain()));
                }));
    }

    private CompletionStage<HttpResponse> resume(ApiRequest request) {
        var resume = request.json(RESUME, ResumeWorkerRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkerServiceGrpc.getResumeWorkerMethod(), resume)
                .whenComplete((_, _) -> workers.forget())
                .thenApply(_ -> Answers.json(json -> json.text("session_id", resume.getSessionId())));
    }

    private CompletionStage<HttpResponse> kill(ApiRequest request) {
        var kill = request.json(KILL, KillWorkerRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), WorkerServiceGrpc.getKillWorkerMethod(), kill)
                .whenComplete((_, _) -> workers.forget())
                .thenApply(_ -> Answers.json(json -> json.text("session_id", kill.getSessionId())));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        boolean withProcesses = request.flag("processes");
        var list = ListWorkersRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .setProcesses(withProcesses)
                .build();
        return workers.ask(request.context(), list)
                .thenApply(answer ->
                        Answers.page(answer.getWorkersList(), answer.getNextPageToken(), (json, worker) -> {
                            worker(json, worker);
                            if (withProcesses) {
                                processes(json, worker);
                            }
                        }));
    }

    private static void worker(JsonWriter json, Worker worker) {
        json.text("session_id", worker.getSessionId());
        json.text("name", worker.getName());
        json.text("version", worker.getVersion());
        json.texts("runtimes", worker.getRuntimesMap());
        json.texts("labels", worker.getLabelsMap());
        json.array("slot_groups", worker.getSlotGroupsList(), WorkerEndpoints::slotGroup);
        json.integer("leased_jobs", worker.getLeasedJobs());
        json.flag("killable", worker.getKillable());
        if (worker.hasDrain()) {
            json.object("drain", inner -> drain(inner, worker.getDrain()));
        }
        if (worker.hasOccupancy()) {
            json.object("occupancy", inner -> {
                inner.number("last_15s", worker.getOccupancy().getLast15S());
                inner.number("last_5min", worker.getOccupancy().getLast5Min());
                inner.number("last_30min", worker.getOccupancy().getLast30Min());
            });
        }
        json.time("connect_time", worker.getConnectTime());
        json.time("heartbeat_time", worker.getHeartbeatTime());
    }

    private static void drain(JsonWriter json, WorkerDrain drain) {
        json.text("actor", drain.getActor());
        json.text("reason", drain.getReason());
        json.time("drain_time", drain.getDrainTime());
        json.integer("groups", drain.getGroups());
    }

    private static void processes(JsonWriter json, Worker worker) {
        json.array("processes", worker.getProcessesList(), WorkerEndpoints::process);
        json.integer("processes_left_off", worker.getProcessesLeftOff());
    }

    private static void process(JsonWriter json, ScriptProcess process) {
        json.text("workspace", process.getWorkspace());
        json.text("script", process.getScriptPath());
        json.text("version", process.getScriptHash());
        json.text("language", process.getLanguage());
        json.text("state", state(process.getState()));
        json.integer("pid", process.getPid());
        json.time("start_time", process.getStartTime());
        json.integer("jobs_ended", process.getJobsEnded());
        json.integer("memory_bytes", process.getMemoryBytes());
    }

    private static String state(ScriptProcess.State state) {
        return switch (state) {
            case STATE_STARTING -> "starting";
            case STATE_IDLE -> "idle";
            case STATE_BUSY -> "busy";
            case STATE_DRAINING -> "draining";
            case STATE_UNSPECIFIED, UNRECOGNIZED -> "";
        };
    }

    private static void slotGroup(JsonWriter json, SlotGroup group) {
        json.text("name", group.getName());
        json.texts("tags", group.getTagsList());
        json.integer("slots", group.getSlots());
        json.integer("prefetch", group.getPrefetch());
        json.text("pause_reason", group.getPauseReason());
    }
}
