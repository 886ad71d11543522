package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A run as the gateway describes it; {@code json} is the whole answer. */
public record Run(
        String id, String name, State state, Optional<RunError> error, Optional<Instant> createTime, JsonNode json) {

    public static Run of(JsonNode json) {
        return new Run(
                Json.text(json, "id"),
                Json.text(json, "name"),
                State.of(Json.text(json, "state")),
                RunError.find(json),
                Json.instant(json, "create_time"),
                json);
    }

    /** The result; JSON null if the run has none, or none yet. */
    public JsonNode output() {
        return json.has("output") ? json.path("output") : NullNode.getInstance();
    }

    public boolean isPaused() {
        return json.path("paused").asBoolean();
    }

    /** Time from the start of the run to its end; empty until it ends. */
    public Optional<Duration> duration() {
        return Json.seconds(json, "run_duration");
    }

    /** Time from the acceptance of the run to its start; empty until it starts. */
    public Optional<Duration> waitDuration() {
        return Json.seconds(json, "wait_duration");
    }

    /** Whether the run has taken the step over from the run that it repeats: such a step has ended before. */
    public boolean reuses(Step step) {
        return isRerun() && isBefore(step.endTime());
    }

    /** How long a step ran within this run: a container that a rerun takes over open counts from its acceptance. */
    public Optional<Duration> ownDuration(Step step) {
        if (!isRerun() || !isBefore(step.startTime())) {
            return step.runDuration();
        }
        return reuses(step)
                ? Optional.empty()
                : createTime.flatMap(from -> step.endTime().map(to -> Duration.between(from, to)));
    }

    private boolean isRerun() {
        return json.path("origin").path("relation").asText().equals("rerun");
    }

    private boolean isBefore(Optional<Instant> time) {
        return createTime.flatMap(begin -> time.map(it -> it.isBefore(begin))).orElse(false);
    }
}
