package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.RunInput.Problem;
import dev.millrace.scheduler.queue.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The environment of a single run: values that replace those of the flow's environment. An inner flow with its own
 * environment is not affected.
 */
public final class RunEnv {
    /** Maximum number of names that a run may pass. */
    public static final int NAMES_MAX = 1_000;
    /** Maximum size of all names and values, in bytes. */
    public static final int BYTES_MAX = 64 * 1024;

    private RunEnv() {}

    /** Returns what is wrong with an environment for a run of the flow; empty if it is valid. */
    public static List<Problem> problems(FlowDefinition flow, Json env) {
        Optional<String> invalid = JsonText.problem(env.text());
        if (invalid.isPresent()) {
            return whole("The environment is not valid JSON: " + invalid.get() + ".");
        }
        JsonValue given = JsonValue.of(env);
        if (given.kind() != JsonValue.Kind.OBJECT) {
            return whole("The environment is " + given.kind().phrase() + " (expected: an object).");
        }
        Set<String> names = given.members().keySet();
        if (names.size() > NAMES_MAX) {
            return whole("The environment has " + names.size() + " names (expected: at most " + NAMES_MAX + ").");
        }
        Set<String> known = flow.options().env().members().keySet();
        return names.stream()
                .filter(name -> !known.contains(name))
                .map(name -> unknown(name, known))
                .toList();
    }

    private static List<Problem> whole(String message) {
        return List.of(new Problem("", message, "Send a JSON object with names of the flow's env."));
    }

    private static Problem unknown(String name, Set<String> known) {
        return new Problem(
                name,
                "The environment of the flow has no \"" + name + "\".",
                known.isEmpty()
                        ? "Remove it, or write it under env in the flow, with its usual value."
                        : "Remove it, or use one of: " + String.join(", ", known) + ".");
    }

    /** Returns the flow's environment, with the values of the run replacing its own. */
    static JsonValue over(JsonValue flowEnv, Json env) {
        Map<String, JsonValue> all = new LinkedHashMap<>(flowEnv.members());
        all.putAll(JsonValue.of(env).members());
        StringBuilder text = new StringBuilder("{");
        all.forEach((name, value) -> {
            text.append(text.length() == 1 ? "" : ",");
            JsonStrings.appendQuoted(text, name);
            text.append(':').append(value);
        });
        return JsonValue.of(text.append('}').toString());
    }
}
