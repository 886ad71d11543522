package dev.millrace.scheduler.flow.dialect;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Writer of trees of maps, lists, strings and JSON values as YAML that {@link YamlReader} reads back as the same tree.
 */
public final class YamlWriter {
    /**
     * Texts that need no quotes: they begin with a letter or underscore, contain no YAML syntax, and are not a literal
     * of JSON.
     */
    private static final Pattern PLAIN = Pattern.compile("(?!(true|false|null)$)[A-Za-z_][A-Za-z0-9_./-]*");

    private static final int INDENT = 2;
    private static final int KEY_CHARS_MAX = 1_000;

    private YamlWriter() {}

    public static String write(Map<String, ?> document) {
        StringWriter target = new StringWriter();
        yaml().serialize(node(document), target);
        return target.toString();
    }

    private static Yaml yaml() {
        DumperOptions options = new DumperOptions();
        options.setIndent(INDENT);
        options.setIndicatorIndent(INDENT);
        options.setIndentWithIndicator(true);
        options.setSplitLines(false);
        options.setMaxSimpleKeyLength(KEY_CHARS_MAX);
        LoaderOptions unused = new LoaderOptions();
        return new Yaml(new SafeConstructor(unused), new Representer(options), options, unused, new PlainResolver());
    }

    private static Node node(Object value) {
        return switch (value) {
            case Map<?, ?> object ->
                new MappingNode(
                        Tag.MAP,
                        object.entrySet().stream()
                                .map(member ->
                                        new NodeTuple(text(String.valueOf(member.getKey())), node(member.getValue())))
                                .toList(),
                        FlowStyle.BLOCK);
            case List<?> array ->
                new SequenceNode(Tag.SEQ, array.stream().map(YamlWriter::node).toList(), FlowStyle.BLOCK);
            case String text -> text(text);
            default -> scalar(String.valueOf(value), ScalarStyle.PLAIN);
        };
    }

    private static Node text(String text) {
        if (PLAIN.matcher(text).matches()) {
            return scalar(text, ScalarStyle.PLAIN);
        }
        if (isBlock(text)) {
            return scalar(text, ScalarStyle.LITERAL);
        }
        boolean asItStands = text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '\'');
        return scalar(text, asItStands && text.contains("\"") ? ScalarStyle.SINGLE_QUOTED : ScalarStyle.DOUBLE_QUOTED);
    }

    /**
     * Whether a text can be a literal block: it has several lines of printable ASCII and neither begins nor ends with
     * white space.
     */
    private static boolean isBlock(String text) {
        return text.contains("\n")
                && text.equals(text.strip())
                && text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~'));
    }

    private static Node scalar(String text, ScalarStyle style) {
        Tag tag = style == ScalarStyle.PLAIN ? PlainResolver.PLAIN : Tag.STR;
        return new ScalarNode(tag, text, null, null, style);
    }
}
