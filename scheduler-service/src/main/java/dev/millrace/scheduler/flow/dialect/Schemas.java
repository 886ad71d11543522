package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.util.Optional;

/** Check of the JSON Schemas in definitions. */
public final class Schemas {
    private Schemas() {}

    /**
     * Reports at its exact place what makes a value unusable as a JSON Schema.
     *
     * @param node the value in the definition
     * @param path place of the value in the definition
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
                    "This is not a usable JSON Schema. " + invalid.problem(),
                    invalid.remedy());
        }
    }

    private record Place(SourceNode node, String path) {
        /** The place under a key or index; empty if it does not exist. */
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
