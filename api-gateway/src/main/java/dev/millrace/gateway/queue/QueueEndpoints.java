package dev.millrace.gateway.queue;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.rpc.SharedAnswers;
import dev.millrace.proto.queue.v1.GetActivityRequest;
import dev.millrace.proto.queue.v1.GetActivityResponse;
import dev.millrace.proto.queue.v1.ListLimitsRequest;
import dev.millrace.proto.queue.v1.ListLimitsResponse;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.ListQueuesResponse;
import dev.millrace.proto.queue.v1.PauseQueueRequest;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.queue.v1.ResumeQueueRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list queues and limits, tell what a workspace does, and pause and resume tags. */
public final class QueueEndpoints {
    private static final String QUEUES = "/api/v1/queues";
    /** The page that shows limits asks each three seconds. */
    private static final Duration LIMITS_KEPT = Duration.ofSeconds(2);
    /** Schedulers store what they count each ten seconds. */
    private static final Duration ACTIVITY_KEPT = Duration.ofSeconds(5);

    private static final JsonFields<PauseQueueRequest.Builder> PAUSE = new JsonFields<PauseQueueRequest.Builder>()
            .required("tag", (json, pause) -> pause.setTag(json.text()))
            .field("reason", (json, pause) -> pause.setReason(json.text()))
            .field("length", (json, pause) -> pause.setLength(json.duration()));
    private static final JsonFields<ResumeQueueRequest.Builder> RESUME =
            new JsonFields<ResumeQueueRequest.Builder>().required("tag", (json, resume) -> resume.setTag(json.text()));

    private final Scheduler scheduler;
    private final SharedAnswers<ListQueuesRequest, ListQueuesResponse> queues;
    private final SharedAnswers<ListLimitsRequest, ListLimitsResponse> limits;
    private final SharedAnswers<GetActivityRequest, GetActivityResponse> activities;

    public QueueEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.queues = new SharedAnswers<>(scheduler, QueueServiceGrpc.getListQueuesMethod());
        this.limits = new SharedAnswers<>(scheduler, QueueServiceGrpc.getListLimitsMethod(), LIMITS_KEPT);
        this.activities = new SharedAnswers<>(scheduler, QueueServiceGrpc.getGetActivityMethod(), ACTIVITY_KEPT);
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(QUEUES, Set.of(), this::list).shared(),
                Endpoint.post(QUEUES + ":pause", Set.of(), this::pause).shared(),
                Endpoint.post(QUEUES + ":resume", Set.of(), this::resume).shared(),
                Endpoint.get("/api/v1/limits", Set.of("page_size", "page_token"), this::limits),
                Endpoint.get("/api/v1/activity", Set.of("minutes"), this::activity));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        return queues.ask(request.context(), ListQueuesRequest.getDefaultInstance())
                .thenApply(found -> Answers.json(json -> {
                    json.array("items", found.getQueuesList(), QueueJson::queue);
                    json.flag("has_more", found.getHasMore());
                }));
    }

    private CompletionStage<HttpResponse> pause(ApiRequest request) {
        var pause = request.json(PAUSE, PauseQueueRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), QueueServiceGrpc.getPauseQueueMethod(), pause)
                .whenComplete((_, _) -> queues.forget())
                .thenApply(paused -> Answers.json(json -> {
                    json.text("tag", paused.getTag());
                    json.object("pause", inner -> QueueJson.pause(inner, paused.getPause()));
                }));
    }

    private CompletionStage<HttpResponse> resume(ApiRequest request) {
        var resume = request.json(RESUME, ResumeQueueRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), QueueServiceGrpc.getResumeQueueMethod(), resume)
                .whenComplete((_, _) -> queues.forget())
                .thenApply(resumed -> Answers.json(json -> {
                    json.text("tag", resumed.getTag());
                    if (resumed.hasPause()) {
                        json.object("pause", inner -> QueueJson.pause(inner, resumed.getPause()));
                    }
                }));
    }

    private CompletionStage<HttpResponse> limits(ApiRequest request) {
        var list = ListLimitsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return limits.ask(request.context(), list)
                .thenApply(found -> Answers.page(found.getLimitsList(), found.getNextPageToken(), QueueJson::line));
    }

    private CompletionStage<HttpResponse> activity(ApiRequest request) {
        var wanted = GetActivityRequest.newBuilder()
                .setMinutes(request.whole("minutes", "1 to 1440"))
                .build();
        return activities
                .ask(request.context(), wanted)
                .thenApply(found -> Answers.json(json -> {
                    json.array("minutes", found.getMinutesList(), ActivityJson::minute);
                    json.object("waits", waits -> ActivityJson.waits(waits, found.getWaits()));
                }));
    }
}
