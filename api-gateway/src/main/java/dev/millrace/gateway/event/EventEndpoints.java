package dev.millrace.gateway.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.EventStreams.Opening;
import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

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
                EventEndpoints::serverEvent);
    }

    private static EventFilter filter(ApiRequest request) {
        return EventFilter.newBuilder()
                .addAllTypes(Stream.of(request.query("type").split(","))
                        .filter(type -> !type.isEmpty())
                        .toList())
                .setFolder(request.query("folder"))
                .setPath(request.query("path"))
                .setRunId(request.query("run_id"))
                .build();
    }

    private static ServerEvent serverEvent(FollowEventsResponse response) {
        var position = response.getPosition();
        if (!response.getCloudEvent().isEmpty()) {
            return new ServerEvent("event", position, response.getCloudEvent().getBytes(UTF_8));
        }
        var isGap = !response.getGap().isEmpty();
        return new ServerEvent(isGap ? "gap" : "checkpoint", position, JsonWriter.object(json -> {
            json.text("position", position);
            json.optionalText("reason", response.getGap());
        }));
    }
}
