package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A run as the gateway describes it; {@code json} is the whole answer. */
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

    /** The result; JSON null if the run has none, or none yet. */
    public JsonNode output() {
        return json.has("output") ? json.path("output") : NullNode.getInstance();
    }

    public boolean isPaused() {
        return json.path("paused").asBoolean();
    }

    /** Time from the acceptance of the run to its end; empty until it ends. */
    public Optional<Duration> duration() {
        return createTime.flatMap(from -> endTime.map(to -> Duration.between(from, to)));
    }
}
