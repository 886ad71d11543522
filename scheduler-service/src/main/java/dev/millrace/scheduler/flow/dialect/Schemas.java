package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.util.Optional;

/** Checks the JSON Schemas that definitions hold. */
public final class Schemas {
    private Schemas() {}

    /**
     * Notes what keeps a value from being a schema that can be used, at its place inside the value.
     *
     * @param node the value in the definition
     * @param path where it stands
     */
    public static void check(SourceNode node, String path, JsonValue value, Problems problems) {
        try {
            JsonSchemas.compile(value.json());
        } catch (SchemaInvalid invalid) {
            Place place = new Place(node, path);
            for (String key : invalid.pointer().split("/", -1)) {
                if (!key.isEmpty()) {
                    place = place.below(key.replace("~1", "/").replace("~0", "~"))
                            .orElse(place);
                }
            }
            problems.add(
                    place.node.mark(),
                    place.path,
                    "This is no JSON Schema that can be used. " + invalid.problem(),
                    invalid.remedy());
        }
    }

    private record Place(SourceNode node, String path) {
        /** What stands under a key or at a position; empty where nothing does. */
        Optional<Place> below(String key) {
            return switch (node) {
                case SourceNode.Mapping mapping ->
                    mapping.entries().stream()
                            .filter(entry -> entry.key().equals(key))
                            .findFirst()
                            .map(entry -> new Place(entry.value(), Paths.member(path, key)));
                case SourceNode.Sequence sequence ->
                    Optional.of(key)
                            .filter(index -> index.matches("[0-9]{1,6}"))
                            .map(Integer::valueOf)
                            .filter(index -> index < sequence.items().size())
                            .map(index -> new Place(sequence.items().get(index), Paths.element(path, index)));
                case SourceNode.Text _, SourceNode.Literal _ -> Optional.empty();
            };
        }
    }
}
