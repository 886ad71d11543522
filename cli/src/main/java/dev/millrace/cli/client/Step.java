package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * State of one step of a run. {@code key} is empty for the root; {@code kind} is a lower-case word such as
 * {@code for_each}; {@code progress} is what its code has told last, as JSON; {@code iterations} are
 * those of a loop whose steps were left out.
 */
public record Step(
        String key,
        String kind,
        State state,
        int attempt,
        Optional<RunError> error,
        Optional<Instant> startTime,
        Optional<Instant> endTime,
        Optional<Duration> waitDuration,
        Optional<Duration> runDuration,
        String worker,
        boolean fromCache,
        boolean erased,
        String childRun,
        Optional<String> progress,
        Optional<IterationCounts> iterations) {

    public static Step of(JsonNode json) {
        return new Step(
                Json.text(json, "key"),
                Json.text(json, "kind"),
                State.of(Json.text(json, "state")),
                json.path("attempt").asInt(1),
                RunError.find(json),
                Json.instant(json, "start_time"),
                Json.instant(json, "end_time"),
                Json.seconds(json, "wait_duration"),
                Json.seconds(json, "run_duration"),
                Json.text(json, "worker"),
                json.path("from_cache").asBoolean(),
                json.path("erased").asBoolean(),
                Json.text(json, "child_run_id"),
                json.has("progress") ? Optional.of(Json.compact(json.path("progress"))) : Optional.empty(),
                IterationCounts.find(json.path("iterations")));
    }

    /** False for steps that contain other steps. */
    public boolean runsOnWorker() {
        return kind.equals("script") || kind.equals("handler");
    }
}
