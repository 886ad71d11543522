package dev.millrace.gateway.log;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.EventStreams.Opening;
import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the logs of a run, as pages or live. */
public final class LogEndpoints {

    private static final List<String> PAGING = List.of("page_size", "page_token");

    private final Scheduler scheduler;
    private final EventStreams streams;

    public LogEndpoints(Scheduler scheduler, EventStreams streams) {
        this.scheduler = scheduler;
        this.streams = streams;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get(
                "/api/v1/runs/{id}/logs",
                Set.of("follow", "job_id", "page_size", "page_token"),
                request -> request.flag("follow") ? follow(request) : list(request)));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), LogServiceGrpc.getListLogsMethod(), list)
                .thenApply(answer -> Answers.page(answer.getChunksList(), answer.getNextPageToken(), LogJson::chunk));
    }

    /**
     * Streams the logs. The stream opens at once, because a job may print nothing for long; a request for one chunk
     * first checks that the run exists.
     */
    private CompletionStage<HttpResponse> follow(ApiRequest request) {
        for (var name : PAGING) {
            if (!request.query(name).isEmpty()) {
                throw ApiRequest.wrongQuery(name, "cannot be used with follow (expected: no pages of a stream)");
            }
        }
        var probe = ListLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setPageSize(1)
                .build();
        var tail = TailLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setAfterPosition(request.lastEventId())
                .build();
        return scheduler
                .call(request.context(), LogServiceGrpc.getListLogsMethod(), probe)
                .thenCompose(_ -> streams.open(
                        request, LogServiceGrpc.getTailLogsMethod(), tail, Opening.AT_ONCE, LogEndpoints::serverEvent));
    }

    private static ServerEvent serverEvent(TailLogsResponse answer) {
        return LogJson.event(answer.getChunk());
    }
}
