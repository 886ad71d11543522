package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A run as the gateway describes it; {@code json} is its whole answer. */
public record Run(
        String id,
        String name,
        State state,
        Optional<RunError> error,
        Optional<Instant> createTime,
        Optional<Instant> endTime,
        JsonNode json) {

    public static Run of(JsonNode json) {
        return new Run(
                Json.text(json, "id"),
                Json.text(json, "name"),
                State.of(Json.text(json, "state")),
                RunError.find(json),
                Json.instant(json, "create_time"),
                Json.instant(json, "end_time"),
                json);
    }

    /** The result; JSON null where the run has none (yet). */
    public JsonNode output() {
        return json.has("output") ? json.path("output") : NullNode.getInstance();
    }

    /** Whether nothing more of it is given to workers for now. */
    public boolean isPaused() {
        return json.path("paused").asBoolean();
    }

    /** Time from acceptance to the end; empty while it goes on. */
    public Optional<Duration> duration() {
        return createTime.flatMap(from -> endTime.map(to -> Duration.between(from, to)));
    }
}
