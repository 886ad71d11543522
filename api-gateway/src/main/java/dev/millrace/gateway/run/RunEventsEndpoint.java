package dev.millrace.gateway.run;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.EventStreams.Opening;
import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.log.LogJson;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Endpoint that follows a run live: `run`, `step` and `log` events, and `end` after the last state of the run. After a
 * reconnect, the reader gets the current run and steps, and the log events after its last one.
 */
public final class RunEventsEndpoint {

    private final EventStreams streams;

    public RunEventsEndpoint(EventStreams streams) {
        this.streams = streams;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/runs/{id}/events", Set.of("include_logs", "fold_loops"), this::events));
    }

    private CompletionStage<HttpResponse> events(ApiRequest request) {
        var watch = WatchRunRequest.newBuilder()
                .setRunId(request.path("id"))
                .setIncludeLogs(request.flag("include_logs"))
                .setFoldLoops(request.flag("fold_loops"))
                .setLogsAfterPosition(request.lastEventId())
                .build();
        return streams.open(
                request,
                RunServiceGrpc.getWatchRunMethod(),
                watch,
                Opening.WITH_FIRST_EVENT,
                RunEventsEndpoint::serverEvent);
    }

    private static ServerEvent serverEvent(WatchRunResponse event) {
        return switch (event.getEventCase()) {
            case RUN -> new ServerEvent("run", JsonWriter.object(json -> RunJson.run(json, event.getRun())));
            case STEP -> new ServerEvent("step", JsonWriter.object(json -> RunJson.step(json, event.getStep())));
            case LOG -> LogJson.event(event.getLog());
            case EVENT_NOT_SET -> new ServerEvent("unknown", JsonWriter.object(_ -> {}));
        };
    }
}
