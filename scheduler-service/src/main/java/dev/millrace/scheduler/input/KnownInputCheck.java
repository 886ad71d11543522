package dev.millrace.scheduler.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.input.KnownInput.Misfit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares what is known about an input with the schema of a script, and finds only what is certain. */
public final class KnownInputCheck {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Keywords that say something about single keys. With others, such as {@code if}, a rule may hold for some values of a key
     * only, so an input is checked only once all its values are known.
     */
    private static final Set<String> PLAIN = Set.of(
            "$schema",
            "$defs",
            "type",
            "title",
            "description",
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames");

    private final InputSchema schema;
    private final JsonNode rules;

    private KnownInputCheck(InputSchema schema, JsonNode rules) {
        this.schema = schema;
        this.rules = rules;
    }

    /** A check by a schema that was valid when it was stored. */
    public static KnownInputCheck of(InputSchema schema) {
        try {
            return new KnownInputCheck(schema, JSON.readTree(schema.schema().text()));
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("the schema is not JSON", notJson);
        }
    }

    /** The names of the parameters, as far as the schema lists them. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        rules.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Why the script certainly does not take the input; empty if it may take it. */
    public List<Misfit> check(KnownInput input) {
        List<Misfit> found = new ArrayList<>();
        Set<String> reported = new LinkedHashSet<>();
        boolean isPlain = isPlain();
        if (isPlain) {
            unknown(input).forEach(key -> found.add(new Misfit.Unknown(key)));
            missing(input).forEach(key -> found.add(new Misfit.Missing(key)));
            found.forEach(misfit -> reported.add(misfit.key()));
        }
        if (isPlain || input.members().values().stream().allMatch(Optional::isPresent)) {
            for (InputProblem problem : valueProblems(input)) {
                String key = key(problem.path());
                boolean isKnown = input.members().containsKey(key)
                        && input.members().get(key).isPresent();
                if ((isKnown || !isPlain) && reported.add(key)) {
                    found.add(new Misfit.Wrong(key, problem.message()));
                }
            }
        }
        return found;
    }

    private boolean isPlain() {
        Set<String> keywords = new LinkedHashSet<>();
        rules.fieldNames().forEachRemaining(keywords::add);
        return PLAIN.containsAll(keywords);
    }

    private List<String> unknown(KnownInput input) {
        boolean isClosed = rules.has("additionalProperties")
                && !rules.get("additionalProperties").asBoolean(true)
                && !rules.has("patternProperties");
        List<String> names = names();
        return isClosed
                ? input.members().keySet().stream()
                        .filter(key -> !names.contains(key))
                        .toList()
                : List.of();
    }

    private List<String> missing(KnownInput input) {
        return rules.path("required")
                .valueStream()
                .map(JsonNode::asText)
                .filter(key -> !input.members().containsKey(key))
                .toList();
    }

    private List<InputProblem> valueProblems(KnownInput input) {
        ObjectNode known = JSON.createObjectNode();
        try {
            for (var member : input.members().entrySet()) {
                if (member.getValue().isPresent()) {
                    known.set(
                            member.getKey(),
                            JSON.readTree(member.getValue().get().text()));
                }
            }
            return ScriptInputCheck.of(schema).check(new Json(known.toString()));
        } catch (JsonProcessingException | SchemaInvalid leftToTheJob) {
            return List.of();
        }
    }

    /** The key at the beginning of a path such as {@code items[2].name}. */
    private static String key(String path) {
        return path.split("[.\\[]", 2)[0];
    }
}
