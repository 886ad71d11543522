package dev.millrace.scheduler.signal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.millrace.scheduler.flow.core.definition.StepAction.EventKind;
import dev.millrace.scheduler.flow.core.definition.StepAction.WaitEnd;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The JSON form in which the row of a wait keeps what it waits for. */
public final class WaitInput {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WaitInput() {}

    /** What a wait for a time keeps. */
    public static Json ofTime(Duration time) {
        return new Json(
                JSON.createObjectNode().put("delay_millis", time.toMillis()).toString());
    }

    /** What a wait for a moment keeps. */
    public static Json ofMoment(Instant moment) {
        return new Json(JSON.createObjectNode().put("until", moment.toString()).toString());
    }

    /** What a wait for events keeps. */
    public static Json ofEvents(StartWait.Until.Events events) {
        return write(spec(events));
    }

    /** What a wait for events waits for. */
    public static WaitSpec spec(StartWait.Until.Events events) {
        return new WaitSpec(
                events.kind(),
                events.name(),
                events.required(),
                events.details(),
                events.onTimeout(),
                events.onDenial());
    }

    static Json write(WaitSpec spec) {
        var input = JSON.createObjectNode()
                .put("kind", lower(spec.kind()))
                .put("name", spec.name())
                .put("required", spec.required())
                .put("on_timeout", lower(spec.onTimeout()))
                .put("on_denial", lower(spec.onDenial()));
        try {
            return new Json(JSON.writeValueAsString(
                    input.putRawValue("details", new RawValue(spec.details().text()))));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a wait cannot be written", impossible);
        }
    }

    /** Reads what {@link #ofEvents} wrote. */
    public static WaitSpec read(String input) {
        try {
            JsonNode spec = JSON.readTree(input);
            return new WaitSpec(
                    EventKind.valueOf(upper(spec, "kind")),
                    spec.required("name").textValue(),
                    spec.required("required").intValue(),
                    new Json(spec.required("details").toString()),
                    WaitEnd.valueOf(upper(spec, "on_timeout")),
                    WaitEnd.valueOf(upper(spec, "on_denial")));
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("job_queue.input of a wait holds something that is no wait", notOurs);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String upper(JsonNode spec, String field) {
        return spec.required(field).textValue().toUpperCase(Locale.ROOT);
    }
}
