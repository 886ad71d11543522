package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** Part of a job's output: several lines, or part of one. */
public record LogChunk(String job, int attempt, String step, String stream, String text, Optional<Instant> time) {
    public static LogChunk of(JsonNode json) {
        return new LogChunk(
                Json.text(json, "job_id"),
                json.path("attempt").asInt(),
                Json.text(json, "step"),
                Json.text(json, "stream"),
                Json.text(json, "text"),
                Json.instant(json, "time"));
    }
}
