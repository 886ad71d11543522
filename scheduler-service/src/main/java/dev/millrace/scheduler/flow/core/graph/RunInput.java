package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.queue.core.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Result of checking the input of a run against the inputs of its flow. */
public sealed interface RunInput {
    /** A valid input, with the defaults filled in. */
    record Accepted(Json input) implements RunInput {}

    /** An input that the flow does not accept. */
    record Refused(List<Problem> problems) implements RunInput {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /**
     * A problem with an input.
     *
     * @param path key of the input; empty for the input as a whole
     * @param message what is wrong, in a full sentence
     * @param remedy what to do about it, in a full sentence
     */
    record Problem(String path, String message, String remedy) {}

    /** Checks inputs of one flow, as they were submitted. */
    @FunctionalInterface
    interface Check {
        RunInput check(Json input);

        /** Returns whether a check costs no more than what it reads, so that a lane may run it. */
        default boolean isPlain() {
            return true;
        }
    }

    /** Checks an input as it was submitted, but not against the JSON Schema of the flow. */
    static RunInput check(FlowDefinition flow, Json input) {
        Optional<String> invalid = JsonText.problem(input.text());
        if (invalid.isPresent()) {
            return refused("The input is not valid JSON: " + invalid.get() + ".", "Send a JSON object.");
        }
        JsonValue given = JsonValue.of(input);
        if (given.kind() != JsonValue.Kind.OBJECT) {
            return refused("The input is " + given.kind().phrase() + " (expected: an object).", "Send a JSON object.");
        }
        List<Problem> problems = new ArrayList<>();
        Map<String, JsonValue> missing = new LinkedHashMap<>();
        FlowOptions.Undeclared undeclared = flow.options().undeclared();
        for (InputSpec spec : flow.inputs()) {
            checkOne(spec, given, undeclared == FlowOptions.Undeclared.KEPT, problems, missing);
        }
        Set<String> unknown = unknown(flow, given);
        if (undeclared == FlowOptions.Undeclared.REFUSED) {
            refuse(unknown, flow, problems);
        }
        Set<String> ignored = undeclared == FlowOptions.Undeclared.IGNORED ? unknown : Set.of();
        return problems.isEmpty() ? new Accepted(complete(input, given, ignored, missing)) : new Refused(problems);
    }

    private static RunInput refused(String message, String remedy) {
        return new Refused(List.of(new Problem("", message, remedy)));
    }

    private static void checkOne(
            InputSpec spec, JsonValue given, boolean open, List<Problem> problems, Map<String, JsonValue> missing) {
        JsonValue value = given.members().get(spec.name());
        if (value != null && !spec.isDefault(value)) {
            boolean absent = value.isNull() && !spec.required();
            if (!absent && !spec.type().accepts(value)) {
                problems.add(new Problem(
                        spec.name(),
                        "The input \"" + spec.name() + "\" is " + value.kind().phrase() + " (expected: "
                                + spec.type().phrase() + ").",
                        "Send " + spec.type().phrase() + "."));
            }
        } else if (spec.defaultValue().isPresent()) {
            missing.put(spec.name(), spec.defaultValue().get());
        } else if (spec.required()) {
            problems.add(new Problem(
                    spec.name(),
                    "The input \"" + spec.name() + "\" is missing (expected: "
                            + spec.type().phrase() + ").",
                    "Send it, or give it a default in the flow."));
        } else if (!open) {
            missing.put(spec.name(), JsonValue.NULL);
        }
    }

    private static Set<String> unknown(FlowDefinition flow, JsonValue given) {
        Set<String> unknown = new LinkedHashSet<>(given.members().keySet());
        flow.inputs().forEach(spec -> unknown.remove(spec.name()));
        return unknown;
    }

    private static void refuse(Set<String> unknown, FlowDefinition flow, List<Problem> problems) {
        List<String> names = flow.inputs().stream().map(InputSpec::name).toList();
        for (String name : unknown) {
            problems.add(new Problem(
                    name,
                    "The flow takes no input \"" + name + "\".",
                    names.isEmpty()
                            ? "Remove it, or declare it under inputs in the flow."
                            : "Remove it, or use one of: " + String.join(", ", names) + "."));
        }
    }

    private static Json complete(Json input, JsonValue given, Set<String> ignored, Map<String, JsonValue> missing) {
        if (ignored.isEmpty() && missing.isEmpty()) {
            return input;
        }
        Map<String, JsonValue> all = new LinkedHashMap<>(given.members());
        all.keySet().removeAll(ignored);
        all.putAll(missing);
        return JsonValue.ofMembers(all).json();
    }
}
