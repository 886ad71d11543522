package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;

/** Describes schedules for people. */
final class ScheduleText {
    private ScheduleText() {}

    static String target(JsonNode schedule) {
        JsonNode target = schedule.path("run").path("target");
        return target.properties().stream()
                .map(field -> field.getKey().replace("_hash", "") + " "
                        + field.getValue().asText())
                .findFirst()
                .orElse("");
    }

    static String timing(JsonNode schedule) {
        StringBuilder text = new StringBuilder();
        schedule.path("cron")
                .forEach(cron -> text.append(text.isEmpty() ? "" : ", ").append(cron.asText()));
        if (schedule.has("every")) {
            text.append(text.isEmpty() ? "every " : ", every ").append(Json.text(schedule, "every"));
        }
        String zone = Json.text(schedule, "zone");
        return zone.equals("UTC") ? text.toString() : text + " (" + zone + ")";
    }

    static String state(JsonNode schedule) {
        if (schedule.path("paused").asBoolean()) {
            return "paused";
        }
        int waiting = schedule.path("waiting").asInt();
        return waiting > 0 ? waiting + " waiting" : schedule.has("next_time") ? "active" : "ended";
    }
}
