package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.submission.RunTemplate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Names of the occurrences of schedules, each of which starts one run, and the inputs of these runs. */
final class TickNames {
    private TickNames() {}

    static String tick(Instant tick) {
        return "tick " + tick;
    }

    static String missed(Instant first) {
        return "missed " + first;
    }

    static String manual(String request) {
        return "manual " + request;
    }

    static String backfill(UUID backfill, Instant tick) {
        return "backfill " + backfill + " " + tick;
    }

    /** The input of a run with the time that it stands for; empty if the schedule does not pass it. */
    static Optional<Json> input(RunTemplate run, String timeInput, Instant time) {
        if (timeInput.isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonValue> members =
                new LinkedHashMap<>(JsonValue.of(run.input()).members());
        members.put(timeInput, JsonValue.ofString(time.toString()));
        return Optional.of(JsonValue.ofMembers(members).json());
    }
}
