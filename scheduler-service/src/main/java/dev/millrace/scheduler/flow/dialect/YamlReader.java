package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Parser of YAML definitions that reads YAML as JSON with comments.
 *
 * <p>An unquoted scalar is a number, boolean or null only if JSON writes it the same way. {@code ~} and an empty value
 * are also null. Every other unquoted scalar is text, for example {@code yes}, {@code 007} and {@code 2026-01-01}.
 */
final class YamlReader {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    /** Maximum number of different collections that aliases refer to. */
    private static final int ALIASES_MAX = 1_000;

    private static final String REMEDY =
            "Correct it there; a missing quote, a tab or a wrong indentation is the usual cause.";

    private int nodes;

    private YamlReader() {}

    static SourceNode read(String text) {
        try {
            Node root = yaml().compose(new StringReader(text));
            if (root == null) {
                throw new SourceInvalid(
                        new SourceNode.Mark(1, 1), "The definition is empty.", "Begin it with the line: millrace: v1");
            }
            return new YamlReader().node(root, 1);
        } catch (MarkedYAMLException invalid) {
            throw new SourceInvalid(mark(invalid), "The YAML is not valid: " + sentence(invalid), REMEDY);
        } catch (YAMLException invalid) {
            throw unmarked(invalid);
        }
    }

    private static Yaml yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SourceLimits.CHARS_MAX);
        options.setNestingDepthLimit(SourceLimits.DEPTH_MAX);
        options.setMaxAliasesForCollections(ALIASES_MAX);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new PlainResolver());
    }

    private static String sentence(MarkedYAMLException invalid) {
        if (String.valueOf(invalid.getProblem()).startsWith("expected <block end>")) {
            return "this line does not continue what stands above it.";
        }
        String context = invalid.getContext() == null ? "" : invalid.getContext() + ", ";
        return context + invalid.getProblem() + ".";
    }

    private static SourceNode.Mark mark(MarkedYAMLException invalid) {
        return invalid.getProblemMark() == null ? new SourceNode.Mark(0, 0) : mark(invalid.getProblemMark());
    }

    private static SourceNode.Mark mark(org.yaml.snakeyaml.error.Mark mark) {
        return new SourceNode.Mark(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static SourceInvalid unmarked(YAMLException invalid) {
        String message = String.valueOf(invalid.getMessage());
        SourceNode.Mark nowhere = new SourceNode.Mark(0, 0);
        if (message.startsWith("Nesting Depth")) {
            return new SourceInvalid(nowhere, SourceLimits.TOO_DEEP, SourceLimits.TOO_DEEP_REMEDY);
        }
        if (message.startsWith("Number of aliases")) {
            return new SourceInvalid(nowhere, SourceLimits.TOO_MANY, SourceLimits.TOO_MANY_REMEDY);
        }
        return new SourceInvalid(nowhere, "The YAML is not valid: " + message + ".", REMEDY);
    }

    private SourceNode node(Node node, int depth) {
        SourceNode.Mark mark = mark(node.getStartMark());
        if (depth > SourceLimits.DEPTH_MAX) {
            throw new SourceInvalid(mark, SourceLimits.TOO_DEEP, SourceLimits.TOO_DEEP_REMEDY);
        }
        if (++nodes > SourceLimits.NODES_MAX) {
            throw new SourceInvalid(mark, SourceLimits.TOO_MANY, SourceLimits.TOO_MANY_REMEDY);
        }
        if (!PlainResolver.TAGS.contains(node.getTag())) {
            throw new SourceInvalid(
                    mark,
                    "The tag " + node.getTag().getValue() + " is not supported.",
                    "Remove the tag, or quote the text if it begins with an exclamation mark.");
        }
        return switch (node) {
            case MappingNode mapping -> mapping(mapping, mark, depth);
            case SequenceNode sequence -> sequence(sequence, mark, depth);
            case ScalarNode scalar -> scalar(scalar, mark);
            default -> throw new IllegalStateException("unknown node " + node.getNodeId());
        };
    }

    private SourceNode mapping(MappingNode mapping, SourceNode.Mark mark, int depth) {
        List<SourceNode.Entry> entries = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            SourceNode.Mark keyMark = mark(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new SourceInvalid(keyMark, "A key is not a text.", "Write the key as a plain or quoted text.");
            }
            entries.add(new SourceNode.Entry(key.getValue(), keyMark, node(tuple.getValueNode(), depth + 1)));
        }
        return new SourceNode.Mapping(mark, entries);
    }

    private SourceNode sequence(SequenceNode sequence, SourceNode.Mark mark, int depth) {
        List<SourceNode> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(node(item, depth + 1));
        }
        return new SourceNode.Sequence(mark, items);
    }

    private static SourceNode scalar(ScalarNode scalar, SourceNode.Mark mark) {
        String text = scalar.getValue();
        if (scalar.getTag().equals(PlainResolver.INLINE)) {
            return new SourceNode.Text(mark, PlainResolver.INLINE.getValue() + " " + text);
        }
        if (!scalar.getTag().equals(PlainResolver.PLAIN)) {
            return new SourceNode.Text(mark, text);
        }
        return switch (text) {
            case "", "~", "null" -> new SourceNode.Literal(mark, JsonValue.NULL);
            case "true" -> new SourceNode.Literal(mark, JsonValue.TRUE);
            case "false" -> new SourceNode.Literal(mark, JsonValue.FALSE);
            default ->
                NUMBER.matcher(text).matches()
                        ? new SourceNode.Literal(mark, JsonValue.of(text))
                        : new SourceNode.Text(mark, text);
        };
    }
}
