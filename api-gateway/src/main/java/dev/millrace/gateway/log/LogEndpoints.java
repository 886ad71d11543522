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
import dev.millrace.proto.log.v1.SearchLogsRequest;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Endpoints for the logs of a run: as pages, live, searched, or whole. */
public final class LogEndpoints {

    private static final String LOGS = "/api/v1/runs/{id}/logs";
    /** What a stream cannot be asked for. */
    private static final List<String> PAGING = List.of("page_size", "page_token", "after", "before", "order");

    private final Scheduler scheduler;
    private final EventStreams streams;

    public LogEndpoints(Scheduler scheduler, EventStreams streams) {
        this.scheduler = scheduler;
        this.streams = streams;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        LOGS,
                        partAnd("follow", "page_size", "page_token"),
                        request -> request.flag("follow") ? follow(request) : list(request)),
                Endpoint.get(LOGS + "/matches", partAnd("text", "match_case", "page_size", "page_token"), this::search),
                Endpoint.get(LOGS + "/text", LogQuery.FILTER, request -> LogText.send(request, scheduler, streams)));
    }

    /** The names of the parameters that choose a part of a log, and more. */
    private static Set<String> partAnd(String... more) {
        return Stream.of(LogQuery.FILTER, LogQuery.RANGE, Set.of(more))
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setStep(request.query("step"))
                .addAllStreams(LogQuery.streams(request))
                .setNewestFirst(LogQuery.isNewestFirst(request))
                .setAfterPosition(LogQuery.position(request, "after"))
                .setBeforePosition(LogQuery.position(request, "before"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), LogServiceGrpc.getListLogsMethod(), list)
                .thenApply(answer -> Answers.json(json -> LogJson.page(json, answer)));
    }

    private CompletionStage<HttpResponse> search(ApiRequest request) {
        var search = SearchLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setStep(request.query("step"))
                .addAllStreams(LogQuery.streams(request))
                .setText(request.query("text"))
                .setMatchCase(request.flag("match_case"))
                .setNewestFirst(LogQuery.isNewestFirst(request))
                .setAfterPosition(LogQuery.position(request, "after"))
                .setBeforePosition(LogQuery.position(request, "before"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), LogServiceGrpc.getSearchLogsMethod(), search)
                .thenApply(answer -> Answers.json(json -> LogJson.matches(json, answer)));
    }

    /**
     * Streams the logs. The stream opens at once, because a job may print nothing for long; a request for one chunk
     * first checks that the run exists.
     */
    private CompletionStage<HttpResponse> follow(ApiRequest request) {
        for (var name : PAGING) {
            if (!request.query(name).isEmpty()) {
                throw ApiRequest.wrongQuery(
                        name, "cannot be used with follow (expected: no pages or parts of a stream)");
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
                .setStep(request.query("step"))
                .addAllStreams(LogQuery.streams(request))
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
