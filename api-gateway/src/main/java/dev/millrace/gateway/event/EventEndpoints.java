package dev.millrace.gateway.event;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.EventStreams.Opening;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Endpoint that follows the events of a workspace: `event` with a CloudEvent, `gap` if events may be missing, and
 * `checkpoint` while no event matches. The id of each is the position at which a reader goes on.
 */
public final class EventEndpoints {

    private final EventStreams streams;

    public EventEndpoints(EventStreams streams) {
        this.streams = streams;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get(
                "/api/v1/events",
                Set.of("type", "folder", "path", "run_id", "after_position", "from_oldest", "until_now"),
                this::follow));
    }

    private CompletionStage<HttpResponse> follow(ApiRequest request) {
        var last = request.lastEvent();
        var follow = FollowEventsRequest.newBuilder()
                .setFilter(filter(request))
                .setAfterPosition(last.isEmpty() ? request.query("after_position") : last)
                .setFromOldest(last.isEmpty() && request.flag("from_oldest"))
                .setUntilNow(request.flag("until_now"))
                .build();
        return streams.open(
                request,
                EventServiceGrpc.getFollowEventsMethod(),
                follow,
                Opening.WITH_FIRST_EVENT,
                response -> EventMessages.of(response, response.getPosition()));
    }

    private static EventFilter filter(ApiRequest request) {
        return EventMessages.ofTypes(request.query("type"))
                .setFolder(request.query("folder"))
                .setPath(request.query("path"))
                .setRunId(request.query("run_id"))
                .build();
    }
}
