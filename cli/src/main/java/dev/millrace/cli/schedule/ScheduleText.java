package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import dev.millrace.text.Durations;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Describes schedules for people. */
final class ScheduleText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ssxxx", Locale.ROOT);

    private ScheduleText() {}

    static String target(JsonNode schedule) {
        JsonNode target = schedule.path("run").path("target");
        return target.properties().stream()
                .map(field -> field.getKey().replace("_hash", "") + " "
                        + field.getValue().asText())
                .findFirst()
                .orElse("");
    }

    /** The next time, on the clock of the schedule's zone; empty if there is none. */
    static String next(JsonNode schedule) {
        return Json.instant(schedule, "next_time")
                .map(next -> time(next, zone(schedule)))
                .orElse("");
    }

    /** A time on the clock of a zone, with its offset. */
    static String time(Instant time, ZoneId zone) {
        return TIME.format(time.atZone(zone));
    }

    /** The zone of a schedule; UTC if this computer does not know it. */
    static ZoneId zone(JsonNode schedule) {
        try {
            return ZoneId.of(Json.text(schedule, "zone"));
        } catch (DateTimeException unknown) {
            return ZoneOffset.UTC;
        }
    }

    private static String interval(String text) {
        return Durations.parse(text).map(Durations::text).orElse(text);
    }

    static String timing(JsonNode schedule) {
        StringBuilder text = new StringBuilder();
        schedule.path("cron")
                .forEach(cron -> text.append(text.isEmpty() ? "" : ", ").append(cron.asText()));
        if (schedule.has("every")) {
            text.append(text.isEmpty() ? "every " : ", every ").append(interval(Json.text(schedule, "every")));
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
