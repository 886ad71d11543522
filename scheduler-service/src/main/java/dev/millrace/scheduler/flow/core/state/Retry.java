package dev.millrace.scheduler.flow.core.state;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/**
 * A retry of a hooked step. The reset that leads to the retry has it as its result, so that the history records it.
 *
 * @param number of the retry, from 1
 * @param error failure of the previous attempt: {@code {name, message, stack, step_id}}
 */
public record Retry(int number, JsonValue error) {
    private static final String NUMBER = "retry";
    private static final String ERROR = "error";

    public Retry {
        requireNonNull(error, "error");
    }

    /** Returns the retry that follows a failure. */
    public static Retry after(Optional<Retry> before, Failure failure) {
        return new Retry(before.map(Retry::number).orElse(0) + 1, failure.value());
    }

    /** Reads the result of a reset; empty if the reset did not lead to a retry of a hooked step. */
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
