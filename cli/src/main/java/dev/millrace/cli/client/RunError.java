package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Why a run or a step failed, as reported by the code that failed. */
public record RunError(String name, String message, String stack) {
    /** The stack, if it says more than name and message: an error outside of the user's code has no line of that. */
    public Optional<String> stackBeyondMessage() {
        return Optional.of(stack.strip())
                .filter(text -> !text.isEmpty())
                .filter(text -> text.contains("\n") || !text.endsWith(message))
                .map(_ -> stack.stripTrailing());
    }

    static Optional<RunError> find(JsonNode owner) {
        JsonNode error = owner.path("error");
        return error.isObject()
                ? Optional.of(
                        new RunError(Json.text(error, "name"), Json.text(error, "message"), Json.text(error, "stack")))
                : Optional.empty();
    }
}
