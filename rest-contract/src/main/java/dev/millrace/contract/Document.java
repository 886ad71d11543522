package dev.millrace.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** OpenAPI document as a tree, in which references can be followed. */
final class Document {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

    private final JsonNode root;

    private Document(JsonNode root) {
        this.root = root;
    }

    static Document parse(String yaml) {
        Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        return new Document(MAPPER.valueToTree(tree));
    }

    List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        root.path("paths")
                .properties()
                .forEach(path -> resolve(path.getValue()).properties().forEach(method -> {
                    if (METHODS.contains(method.getKey())) {
                        operations.add(Operation.of(
                                this, method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()));
                    }
                }));
        return operations;
    }

    /** Schemas by their names. */
    JsonNode schemas() {
        return root.at("/components/schemas");
    }

    /** Follows the references of a node to the node that has content. */
    JsonNode resolve(JsonNode node) {
        JsonNode at = node;
        while (at.has("$ref")) {
            String reference = at.path("$ref").asText();
            at = root.at(URLDecoder.decode(reference.substring(1), StandardCharsets.UTF_8));
            if (at instanceof MissingNode) {
                throw new IllegalArgumentException("The document refers to " + reference + ", which it does not have.");
            }
        }
        return requireNonNull(at);
    }
}
