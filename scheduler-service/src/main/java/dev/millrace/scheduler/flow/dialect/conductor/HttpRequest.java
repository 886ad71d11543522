package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Conversion of an {@code http_request} into the input of the handler {@code millrace.http}. */
record HttpRequest(Expression request) implements Computed {
    /** Keys that a request may have. */
    static final List<String> KEYS =
            List.of("uri", "method", "headers", "body", "accept", "contentType", "connectionTimeOut", "readTimeOut");

    private static final double MILLIS_PER_SECOND = 1_000;
    /** Conductor's default limit, in seconds, for connecting and for each read of a response. */
    private static final JsonValue TIMEOUT_DEFAULT = JsonValue.of(3);
    /** Longest time, in seconds, that the handler accepts; it stands for no limit. */
    private static final JsonValue TIMEOUT_MAX = JsonValue.of(3_600);
    /** Lowest status that fails a request. */
    private static final int FIRST_FAILURE = 300;

    /** Default media type that a request accepts, and of its body. */
    private static final JsonValue JSON = JsonValue.ofString("application/json");

    @Override
    public JsonValue evaluate(Scope scope) {
        return of(request.evaluate(scope));
    }

    static JsonValue of(JsonValue given) {
        if (given.kind() != JsonValue.Kind.OBJECT) {
            throw new EvaluationFailed("The http_request is " + given.kind().phrase() + " (expected: an object).");
        }
        Map<String, JsonValue> call = new LinkedHashMap<>();
        copy(given, "uri", call, "url");
        copy(given, "method", call, "method");
        call.put("headers", JsonObjects.of(headers(given)));
        copy(given, "body", call, "body");
        limit(given, "connectionTimeOut", call, "connect_timeout");
        limit(given, "readTimeOut", call, "read_timeout");
        call.put("timeout", TIMEOUT_MAX);
        call.put("fail_from_status", JsonValue.of(FIRST_FAILURE));
        call.put("retry_on_status", JsonValue.ofString("all"));
        call.put("response_headers", JsonValue.ofString("lists"));
        call.put("response_body", JsonValue.ofString("guessed"));
        return JsonObjects.of(call);
    }

    static void copy(JsonValue from, String name, Map<String, JsonValue> to, String newName) {
        JsonValue value = JsonObjects.member(from, name);
        if (!value.isNull()) {
            to.put(newName, value);
        }
    }

    private static Map<String, JsonValue> headers(JsonValue given) {
        Map<String, JsonValue> headers = new LinkedHashMap<>();
        headers.put("Accept", JSON);
        headers.put("Content-Type", JSON);
        copy(given, "accept", headers, "Accept");
        copy(given, "contentType", headers, "Content-Type");
        JsonValue own = JsonObjects.member(given, "headers");
        if (own.kind() == JsonValue.Kind.OBJECT) {
            own.members().forEach((name, value) -> {
                headers.keySet().removeIf(name::equalsIgnoreCase);
                headers.put(name, value);
            });
        }
        return headers;
    }

    /** Sets a timeout that has a default; 0 means no limit. */
    private static void limit(JsonValue from, String name, Map<String, JsonValue> to, String newName) {
        JsonValue given = JsonObjects.member(from, name);
        boolean isAbsent = given.isNull()
                || (given.kind() == JsonValue.Kind.STRING && given.string().isBlank());
        to.put(newName, isAbsent ? TIMEOUT_DEFAULT : TIMEOUT_MAX);
        seconds(from, name, to, newName);
    }

    /** Converts milliseconds to seconds. Sets nothing for 0, which in Conductor means no limit. */
    static void seconds(JsonValue from, String name, Map<String, JsonValue> to, String newName) {
        JsonValue given = JsonObjects.member(from, name);
        double millis = given.isNull() ? 0 : millis(name, given);
        if (millis != 0) {
            to.put(newName, JsonValue.of(Double.toString(millis / MILLIS_PER_SECOND)));
        }
    }

    /** Parses a number, or its digits in a string, which definitions often have. */
    private static double millis(String name, JsonValue given) {
        try {
            if (given.kind() == JsonValue.Kind.NUMBER) {
                return Double.parseDouble(given.toString());
            }
            if (given.kind() == JsonValue.Kind.STRING) {
                return given.string().isBlank()
                        ? 0
                        : Integer.parseInt(given.string().strip());
            }
        } catch (NumberFormatException wrong) {
            // The exception below reports the value.
        }
        throw new EvaluationFailed(name + " is " + given.text() + " (expected: a number of milliseconds).");
    }

    @Override
    public Reads reads() {
        return request.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".http")
                .expression(request)
                .write();
    }
}
