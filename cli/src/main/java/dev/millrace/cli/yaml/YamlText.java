package dev.millrace.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.client.Json;
import java.io.StringReader;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads YAML as JSON with comments. An unquoted scalar is a number, boolean or null only if JSON writes it the same
 * way; {@code ~} and an empty value are null, too. Any other scalar is text, for example {@code no} and
 * {@code 2026-01-01}. Tags are ignored.
 */
public final class YamlText {
    private static final int CHARS_MAX = 1 << 20;
    private static final int DEPTH_MAX = 50;
    private static final int NODES_MAX = 100_000;

    private int nodes;

    private YamlText() {}

    /** Returns the only document of the text; null if there is none. */
    public static JsonNode parse(String text) throws InvalidYaml {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(CHARS_MAX);
        options.setNestingDepthLimit(DEPTH_MAX);
        try {
            Node root = new Yaml(options).compose(new StringReader(text));
            return root == null ? NullNode.getInstance() : new YamlText().json(root, 0);
        } catch (MarkedYAMLException invalid) {
            int line = invalid.getProblemMark() == null
                    ? 1
                    : invalid.getProblemMark().getLine() + 1;
            throw new InvalidYaml(line, invalid.getProblem());
        } catch (YAMLException invalid) {
            throw new InvalidYaml(1, String.valueOf(invalid.getMessage()));
        }
    }

    private JsonNode json(Node node, int depth) throws InvalidYaml {
        // Aliases may multiply nodes, or refer to what is around them.
        if (++nodes > NODES_MAX || depth > DEPTH_MAX) {
            throw new InvalidYaml(
                    line(node),
                    "it holds more than " + NODES_MAX + " values or nests deeper than " + DEPTH_MAX + " levels");
        }
        return switch (node) {
            case MappingNode mapping -> object(mapping, depth);
            case SequenceNode sequence -> array(sequence, depth);
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new IllegalStateException("unknown node " + node.getNodeId());
        };
    }

    private ObjectNode object(MappingNode mapping, int depth) throws InvalidYaml {
        ObjectNode object = Json.object();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw new InvalidYaml(line(entry.getKeyNode()), "a key is not a text");
            }
            if (object.has(key.getValue())) {
                throw new InvalidYaml(line(key), "the key " + key.getValue() + " is there twice");
            }
            object.set(key.getValue(), json(entry.getValueNode(), depth + 1));
        }
        return object;
    }

    private ArrayNode array(SequenceNode sequence, int depth) throws InvalidYaml {
        ArrayNode array = Json.array();
        for (Node item : sequence.getValue()) {
            array.add(json(item, depth + 1));
        }
        return array;
    }

    private static JsonNode scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return TextNode.valueOf(text);
        }
        if (text.isEmpty() || text.equals("~")) {
            return NullNode.getInstance();
        }
        return Json.parse(text).filter(JsonNode::isValueNode).orElseGet(() -> TextNode.valueOf(text));
    }

    private static int line(Node node) {
        return node.getStartMark() == null ? 1 : node.getStartMark().getLine() + 1;
    }
}
