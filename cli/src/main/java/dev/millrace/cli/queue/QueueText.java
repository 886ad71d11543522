package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;

/** What people are told about queues. */
final class QueueText {
    static final ApiPath QUEUES = ApiPath.shared("/queues");

    private QueueText() {}

    /** All queues that the caller may see. */
    static List<JsonNode> read(MillraceClient client) {
        return client.get(QUEUES).path("items").valueStream().toList();
    }

    /** A number that is counted up to a limit, such as {@code 10000+}. */
    static String counted(JsonNode line) {
        return line.path("waiting").asText() + (line.path("has_more_waiting").asBoolean() ? "+" : "");
    }

    static String rate(JsonNode queue, String name) {
        double perSecond = queue.path("rate").path(name).asDouble();
        return perSecond == 0 ? "" : String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }

    /** How long ago a time was; nothing if there is none. */
    static String age(JsonNode line, String time, Instant now) {
        try {
            Duration age = Duration.between(Instant.parse(Json.text(line, time)), now);
            return age.isNegative() ? "0 s" : Durations.text(Duration.ofSeconds(age.toSeconds()));
        } catch (DateTimeParseException none) {
            return "";
        }
    }

    /** Who paused a tag, and why; empty if it is not paused. */
    static String pause(JsonNode queue) {
        JsonNode pause = queue.path("pause");
        if (pause.isMissingNode()) {
            return "";
        }
        String until = Json.text(pause, "until_time");
        return "by " + Json.text(pause, "actor") + (until.isEmpty() ? "" : " until " + Times.text(until))
                + (Json.text(pause, "reason").isEmpty() ? "" : ": " + Json.text(pause, "reason"));
    }
}
