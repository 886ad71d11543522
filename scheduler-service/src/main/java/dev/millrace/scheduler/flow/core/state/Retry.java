package dev.millrace.scheduler.flow.core.state;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/**
 * A further attempt of a task with others around it. It is the result of the reset that brought it about, so that history keeps it.
 *
 * @param number from 1
 * @param error what the attempt before failed with: {@code {name, message, stack, step_id}}
 */
public record Retry(int number, JsonValue error) {
    private static final String NUMBER = "retry";
    private static final String ERROR = "error";

    public Retry {
        requireNonNull(error, "error");
    }

    /** The attempt that follows a failure. */
    public static Retry after(Optional<Retry> before, Failure failure) {
        return new Retry(before.map(Retry::number).orElse(0) + 1, failure.value());
    }

    /** What a reset tells; empty where it was not that of such a task. */
    static Optional<Retry> read(Json result) {
        JsonValue note = JsonValue.of(result);
        if (note.isNull()) {
            return Optional.empty();
        }
        JsonValue number = note.members().get(NUMBER);
        JsonValue error = note.members().get(ERROR);
        return number == null || error == null
                ? Optional.empty()
                : Optional.of(new Retry(Integer.parseInt(number.toString()), error));
    }

    public Json json() {
        return new Json("{\"" + NUMBER + "\":" + number + ",\"" + ERROR + "\":" + error + "}");
    }
}
