package dev.millrace.gateway.schedule;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.Submissions;
import dev.millrace.proto.schedule.v1.BackfillScheduleRequest;
import dev.millrace.proto.schedule.v1.DeleteScheduleRequest;
import dev.millrace.proto.schedule.v1.GetScheduleRequest;
import dev.millrace.proto.schedule.v1.ListBackfillsRequest;
import dev.millrace.proto.schedule.v1.ListScheduleHistoryRequest;
import dev.millrace.proto.schedule.v1.ListScheduleTimesRequest;
import dev.millrace.proto.schedule.v1.ListScheduleVersionsRequest;
import dev.millrace.proto.schedule.v1.ListSchedulesRequest;
import dev.millrace.proto.schedule.v1.PauseScheduleRequest;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.ResumeScheduleRequest;
import dev.millrace.proto.schedule.v1.Schedule;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.TriggerScheduleRequest;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Endpoints that create, show, list, pause, start and delete schedules. */
public final class ScheduleEndpoints {
    private static final String SCHEDULES = "/api/v1/schedules";
    private static final String SCHEDULE = SCHEDULES + "/{*path}";
    private static final int TIMES_DEFAULT = 0;

    private static final JsonFields<PauseScheduleRequest.Builder> PAUSE =
            new JsonFields<PauseScheduleRequest.Builder>().required("path", (json, put) -> put.setPath(json.text()));
    private static final JsonFields<ResumeScheduleRequest.Builder> RESUME =
            new JsonFields<ResumeScheduleRequest.Builder>().required("path", (json, put) -> put.setPath(json.text()));
    private static final JsonFields<TriggerScheduleRequest.Builder> TRIGGER =
            new JsonFields<TriggerScheduleRequest.Builder>().required("path", (json, put) -> put.setPath(json.text()));
    private static final JsonFields<BackfillScheduleRequest.Builder> BACKFILL = new JsonFields<
                    BackfillScheduleRequest.Builder>()
            .required("path", (json, fill) -> fill.setPath(json.text()))
            .required("from", (json, fill) -> fill.setFromTime(json.time()))
            .required("to", (json, fill) -> fill.setToTime(json.time()))
            .field("parallel", (json, fill) -> fill.setParallelMax(parallel(json)));

    private final Scheduler scheduler;

    public ScheduleEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        Set<String> page = Set.of("page_size", "page_token");
        return List.of(
                Endpoint.get(SCHEDULES, page, this::list),
                Endpoint.get(SCHEDULE, Set.of("version"), this::get),
                Endpoint.put(SCHEDULE, Set.of(), this::put),
                Endpoint.delete(SCHEDULE, Set.of(), this::delete),
                Endpoint.post(SCHEDULES + ":pause", Set.of(), this::pause),
                Endpoint.post(SCHEDULES + ":resume", Set.of(), this::resume),
                Endpoint.post(SCHEDULES + ":trigger", Set.of(), this::trigger),
                Endpoint.post(SCHEDULES + ":backfill", Set.of(), this::backfill),
                Endpoint.get("/api/v1/schedule-times/{*path}", Set.of("count", "after"), this::times),
                Endpoint.get("/api/v1/schedule-history/{*path}", page, this::history),
                Endpoint.get("/api/v1/schedule-versions/{*path}", Set.of(), this::versions),
                Endpoint.get("/api/v1/schedule-backfills/{*path}", Set.of(), this::backfills));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListSchedulesRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getListSchedulesMethod(), list)
                .thenApply(
                        found -> Answers.page(found.getSchedulesList(), found.getNextPageToken(), ScheduleJson::write));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetScheduleRequest.newBuilder()
                .setPath(request.path("path"))
                .setVersion(request.whole("version", "1 or more"))
                .build();
        return one(request, ScheduleServiceGrpc.getGetScheduleMethod(), get, answer -> answer.getSchedule());
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put =
                request.json(ScheduleJson.PUT, PutScheduleRequest.newBuilder()).setPath(request.path("path"));
        var _ = Submissions.checked(put.getRunBuilder(), "run.");
        return one(request, ScheduleServiceGrpc.getPutScheduleMethod(), put.build(), answer -> answer.getSchedule());
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete =
                DeleteScheduleRequest.newBuilder().setPath(request.path("path")).build();
        return one(request, ScheduleServiceGrpc.getDeleteScheduleMethod(), delete, answer -> answer.getSchedule());
    }

    private CompletionStage<HttpResponse> pause(ApiRequest request) {
        var pause = request.json(PAUSE, PauseScheduleRequest.newBuilder()).build();
        return one(request, ScheduleServiceGrpc.getPauseScheduleMethod(), pause, answer -> answer.getSchedule());
    }

    private CompletionStage<HttpResponse> resume(ApiRequest request) {
        var resume = request.json(RESUME, ResumeScheduleRequest.newBuilder()).build();
        return one(request, ScheduleServiceGrpc.getResumeScheduleMethod(), resume, answer -> answer.getSchedule());
    }

    private <Q extends Message, A> CompletionStage<HttpResponse> one(
            ApiRequest request, MethodDescriptor<Q, A> method, Q message, Function<A, Schedule> schedule) {
        return scheduler
                .call(request.context(), method, message)
                .thenApply(answer -> Answers.json(json -> ScheduleJson.write(json, schedule.apply(answer))));
    }

    private CompletionStage<HttpResponse> trigger(ApiRequest request) {
        var trigger = request.json(TRIGGER, TriggerScheduleRequest.newBuilder())
                .setRequestId(request.idempotencyKey())
                .build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getTriggerScheduleMethod(), trigger)
                .thenApply(answer -> Answers.json(json -> ScheduleJson.write(json, answer.getStart())));
    }

    private CompletionStage<HttpResponse> backfill(ApiRequest request) {
        var backfill =
                request.json(BACKFILL, BackfillScheduleRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getBackfillScheduleMethod(), backfill)
                .thenApply(answer -> Answers.json(json -> ScheduleJson.write(json, answer.getBackfill())));
    }

    private CompletionStage<HttpResponse> times(ApiRequest request) {
        var times = ListScheduleTimesRequest.newBuilder()
                .setPath(request.path("path"))
                .setCount(count(request.query("count")));
        request.time("after").ifPresent(times::setAfterTime);
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getListScheduleTimesMethod(), times.build())
                .thenApply(found -> Answers.page(found.getTimesList(), "", ScheduleJson::write));
    }

    /** Zero would mean that the number is not given, so callers cannot give it. */
    private static int parallel(JsonReader json) throws IOException {
        int given = json.integer();
        if (given == 0) {
            throw json.wrong("is 0 (expected: 1 to 100)");
        }
        return given;
    }

    private static int count(String text) {
        try {
            return text.isEmpty() ? TIMES_DEFAULT : Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            throw ApiRequest.wrongQuery("count", "is \"" + text + "\" (expected: 1 to 1000)");
        }
    }

    private CompletionStage<HttpResponse> history(ApiRequest request) {
        var list = ListScheduleHistoryRequest.newBuilder()
                .setPath(request.path("path"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getListScheduleHistoryMethod(), list)
                .thenApply(found -> Answers.page(found.getStartsList(), found.getNextPageToken(), ScheduleJson::write));
    }

    private CompletionStage<HttpResponse> versions(ApiRequest request) {
        var list = ListScheduleVersionsRequest.newBuilder()
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getListScheduleVersionsMethod(), list)
                .thenApply(found -> Answers.page(found.getVersionsList(), "", ScheduleJson::write));
    }

    private CompletionStage<HttpResponse> backfills(ApiRequest request) {
        var list =
                ListBackfillsRequest.newBuilder().setPath(request.path("path")).build();
        return scheduler
                .call(request.context(), ScheduleServiceGrpc.getListBackfillsMethod(), list)
                .thenApply(found -> Answers.page(found.getBackfillsList(), "", ScheduleJson::write));
    }
}
