package dev.millrace.gateway.run;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.event.EventMessages;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.RequestWorkspace;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.feed.JointFeed;
import dev.millrace.gateway.run.feed.JointPosition;
import dev.millrace.gateway.run.feed.RunFeeds;
import dev.millrace.gateway.run.feed.RunFilter;
import dev.millrace.gateway.run.feed.Told;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import io.grpc.ClientCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Endpoint that keeps a list of runs current: `run` with a run that the list contains, `left` with one that it does not
 * contain in its present state, `gap` if changes may be missing, and `checkpoint` while nothing changes. With types of events,
 * it also sends these events of the workspace.
 */
public final class RunFeedEndpoint {

    private static final Set<String> PARAMETERS =
            Set.of("state", "kind", "name", "created_from", "created_before", "after_position", "type");

    private final Scheduler scheduler;
    private final EventStreams streams;
    private final RunFeeds feeds;

    public RunFeedEndpoint(Scheduler scheduler, EventStreams streams, RunFeeds feeds) {
        this.scheduler = scheduler;
        this.streams = streams;
        this.feeds = feeds;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/runs/events", PARAMETERS, this::follow));
    }

    /** Lets the scheduler decide first whether the caller may list runs, since a feed may be open already. */
    private CompletionStage<HttpResponse> follow(ApiRequest request) {
        var filter = new RunFilter(RunFilters.read(request).build());
        var caller = scheduler.caller(request.context());
        var named = request.context().pathParam(RequestWorkspace.NAME);
        var workspace = named == null ? "" : named;
        var last = request.lastEvent().isEmpty() ? request.query("after_position") : request.lastEvent();
        var check = ListRunsRequest.newBuilder().setPageSize(1).build();
        return scheduler
                .call(request.context(), RunServiceGrpc.getListRunsMethod(), check)
                .thenCompose(_ -> request.query("type").isEmpty()
                        ? streams.open(
                                request,
                                listener -> feeds.follow(workspace, caller, filter, last, listener),
                                (FollowRunsResponse change) -> serverEvent(filter, change, change.getPosition()))
                        : streams.open(
                                request,
                                listener -> joint(request, workspace, filter, JointPosition.of(last), listener),
                                (Told told) -> serverEvent(filter, told)));
    }

    /** The runs and, in the same stream, the events that the request asks for. */
    private JointFeed joint(
            ApiRequest request,
            String workspace,
            RunFilter filter,
            JointPosition after,
            ClientCall.Listener<Told> listener) {
        var follow = FollowEventsRequest.newBuilder()
                .setFilter(EventMessages.ofTypes(request.query("type")))
                .setAfterPosition(after.events())
                .build();
        var context = request.context();
        return JointFeed.open(
                after,
                runs -> feeds.follow(workspace, scheduler.caller(context), filter, after.runs(), runs),
                events -> scheduler.stream(context, EventServiceGrpc.getFollowEventsMethod(), follow, events),
                listener);
    }

    private static ServerEvent serverEvent(RunFilter filter, Told told) {
        return switch (told) {
            case Told.OfRuns(String position, FollowRunsResponse change) -> serverEvent(filter, change, position);
            case Told.OfEvents(String position, FollowEventsResponse event) -> EventMessages.of(event, position);
        };
    }

    private static ServerEvent serverEvent(RunFilter filter, FollowRunsResponse change, String position) {
        if (change.hasRun()) {
            var run = change.getRun();
            return new ServerEvent(
                    filter.contains(run) ? "run" : "left", position, JsonWriter.object(json -> RunJson.run(json, run)));
        }
        var isGap = !change.getGap().isEmpty();
        return new ServerEvent(isGap ? "gap" : "checkpoint", position, JsonWriter.object(json -> {
            json.text("position", position);
            json.optionalText("reason", change.getGap());
        }));
    }
}
