package dev.millrace.gateway.http;

import com.google.protobuf.Timestamp;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.json.JsonBody;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.Times;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request with its complete body. Its readers end the request with a problem if a value is invalid.
 *
 * @param body empty if the request has none
 */
public record ApiRequest(ServiceRequestContext context, HttpData body) {

    /** Longest wait that a caller may request; the scheduler has the same limit. */
    public static final Duration WAIT_MAX = Duration.ofMinutes(5);

    private static final int IDEMPOTENCY_KEY_LENGTH_MAX = 128;

    private static final Pattern EVENT_ID = Pattern.compile("\\d{0,18}");

    /** Returns a decoded parameter of the path. */
    public String path(String name) {
        var value = context.pathParam(name);
        if (value == null) {
            throw new IllegalStateException("The route has no parameter " + name + ".");
        }
        return value;
    }

    /** Returns a query parameter; an empty text if it is absent. */
    public String query(String name) {
        var value = context.queryParam(name);
        return value == null ? "" : value;
    }

    /** Returns all values of a repeated query parameter. */
    public List<String> queryList(String name) {
        return context.queryParams().getAll(name);
    }

    public boolean flag(String name) {
        return switch (query(name)) {
            case "true" -> true;
            case "", "false" -> false;
            case String other -> throw wrongQuery(name, "is \"" + other + "\" (expected: true or false)");
        };
    }

    /** Returns a time in a query parameter; empty if it is absent. */
    public Optional<Timestamp> time(String name) {
        var text = query(name);
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(Times.parseTime(text)
                        .map(Times::message)
                        .orElseThrow(() -> wrongQuery(name, "is \"" + text + "\" (" + Times.TIME_EXPECTED + ")")));
    }

    /** Returns the requested page size; 0, which means the scheduler's default, if it is absent. */
    public int pageSize() {
        return whole("page_size", "1 to 1000");
    }

    /** Returns a whole number in a query parameter; 0 if it is absent. */
    public int whole(String name, String expected) {
        var text = query(name);
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw wrongQuery(name, "is \"" + text + "\" (expected: " + expected + ")");
        }
    }

    /** Returns the id of the last event that a reconnecting reader has received; 0 if there is none. */
    public long lastEventId() {
        var text = context.request().headers().get("last-event-id", "");
        if (!EVENT_ID.matcher(text).matches()) {
            throw new ProblemException(Problem.invalidField(
                    "Last-Event-ID", "is \"" + text + "\" (expected: the id of an event of this stream)"));
        }
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** Returns the id of the last event that a reconnecting reader has received, as it was sent; empty if there is none. */
    public String lastEvent() {
        return context.request().headers().get("last-event-id", "");
    }

    public String pageToken() {
        return query("page_token");
    }

    /** Returns how long the caller wants to wait for a result; empty if it does not want to. */
    public Optional<Duration> wait(String name) {
        var text = query(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var wait = Durations.parse(text)
                .orElseThrow(() -> wrongQuery(name, "is \"" + text + "\" (" + Times.DURATION_EXPECTED + ")"));
        if (wait.compareTo(WAIT_MAX) > 0) {
            throw wrongQuery(name, "is " + text + " (expected: at most " + WAIT_MAX.toMinutes() + "m)");
        }
        return Optional.of(wait);
    }

    /** Extends the time limit of this request. */
    public void extendTimeout(Duration by) {
        context.setRequestTimeout(TimeoutMode.EXTEND, by);
    }

    /** Returns the caller's key that makes a repeated request harmless; empty if there is none. */
    public String idempotencyKey() {
        var key = context.request().headers().get("idempotency-key", "");
        if (key.length() > IDEMPOTENCY_KEY_LENGTH_MAX) {
            throw new ProblemException(Problem.invalidField(
                    "Idempotency-Key",
                    "has " + key.length() + " characters (expected: at most " + IDEMPOTENCY_KEY_LENGTH_MAX + ")"));
        }
        return key;
    }

    public <T> T json(JsonFields<T> fields, T target) {
        requireJson(context.request().contentType());
        return JsonBody.read(body.array(), fields, target);
    }

    /** Reads the body into the target; leaves the target unchanged if there is no body. */
    public <T> T optionalJson(JsonFields<T> fields, T target) {
        return body.isEmpty() ? target : json(fields, target);
    }

    /** Rejects other content types. This also keeps out forms that another site makes a browser send. */
    private static void requireJson(@Nullable MediaType type) {
        if (type == null || !type.belongsTo(MediaType.JSON)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_media_type",
                    "The body is " + (type == null ? "of no declared type" : type)
                            + " (expected: the header Content-Type: application/json)."));
        }
    }

    /** Returns the exception that rejects this query parameter. */
    public static ProblemException wrongQuery(String name, String message) {
        return new ProblemException(Problem.invalidField(name, message));
    }
}
