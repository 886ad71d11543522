package dev.millrace.gateway.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import java.util.stream.Stream;

/** Writes events of a workspace as server-sent events, and reads which types of them are wanted. */
public final class EventMessages {

    private EventMessages() {}

    /**
     * The message for an event, a gap or a checkpoint.
     *
     * @param position where the reader goes on after it
     */
    public static ServerEvent of(FollowEventsResponse response, String position) {
        if (!response.getCloudEvent().isEmpty()) {
            return new ServerEvent("event", position, response.getCloudEvent().getBytes(UTF_8));
        }
        var isGap = !response.getGap().isEmpty();
        return new ServerEvent(isGap ? "gap" : "checkpoint", position, JsonWriter.object(json -> {
            json.text("position", position);
            json.optionalText("reason", response.getGap());
        }));
    }

    /** A filter for the types in a list with commas; an empty list wants all. */
    public static EventFilter.Builder ofTypes(String types) {
        return EventFilter.newBuilder()
                .addAllTypes(Stream.of(types.split(","))
                        .filter(type -> !type.isEmpty())
                        .toList());
    }
}
