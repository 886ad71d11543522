package dev.millrace.scheduler.signal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The JSON form of waits in the input column of their rows. */
public final class WaitInput {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WaitInput() {}

    /** The input of a wait for a period. */
    public static Json ofTime(Duration time) {
        return new Json(
                JSON.createObjectNode().put("delay_millis", time.toMillis()).toString());
    }

    /** The input of a wait for a moment. */
    public static Json ofMoment(Instant moment) {
        return new Json(JSON.createObjectNode().put("until", moment.toString()).toString());
    }

    /** The input of a wait for events. */
    public static Json ofEvents(StartWait.Until.Events events) {
        return write(spec(events));
    }

    /** Returns the specification of a wait for events. */
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
            throw new IllegalStateException("The input of a wait cannot be written.", impossible);
        }
    }

    /** Reads what {@link #ofEvents} has written. */
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
            throw new IllegalStateException("job_queue.input of a wait is not the input of a wait.", notOurs);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String upper(JsonNode spec, String field) {
        return spec.required(field).textValue().toUpperCase(Locale.ROOT);
    }
}
