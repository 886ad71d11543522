package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.output.Paint;
import java.util.Map;

/**
 * Writes JSON as people write it: {@code "words": 27}, an entry a line, and lists of few plain values in one line. An object
 * inside of something else is also one line if it is short. Nested as deep as the parser allows.
 */
final class PrettyJson {
    private static final String INDENT = "  ";
    /** Longest line of a list or object that stays in one line, without its key. */
    private static final int LINE_MAX = 80;

    private final Paint paint;
    private final StringBuilder text = new StringBuilder();

    private PrettyJson(Paint paint) {
        this.paint = paint;
    }

    static String text(JsonNode node, Paint paint) {
        PrettyJson writer = new PrettyJson(paint);
        writer.write(node, 0);
        return writer.text.toString();
    }

    private void write(JsonNode node, int depth) {
        if (!node.isContainerNode()) {
            text.append(plain(node));
        } else if (node.isEmpty()) {
            text.append(node.isArray() ? "[]" : "{}");
        } else if ((node.isArray() || depth > 0) && isShort(node, LINE_MAX - depth * INDENT.length())) {
            entries(node, depth, ", ", "");
        } else {
            entries(node, depth + 1, ",\n" + INDENT.repeat(depth + 1), "\n");
        }
    }

    /**
     * Writes a list or object.
     *
     * @param around what stands after its bracket and before the closing one, which follows the indentation of the outer depth
     */
    private void entries(JsonNode node, int depth, String separator, String around) {
        text.append(node.isArray() ? '[' : '{');
        text.append(around.isEmpty() ? "" : around + INDENT.repeat(depth));
        String before = "";
        for (JsonNode element : node.isArray() ? node : Json.array()) {
            text.append(before);
            write(element, depth);
            before = separator;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            text.append(before).append(key(field.getKey())).append(": ");
            write(field.getValue(), depth);
            before = separator;
        }
        text.append(around.isEmpty() ? "" : around + INDENT.repeat(depth - 1));
        text.append(node.isArray() ? ']' : '}');
    }

    /** Whether it has only plain values and fits into a line. Looks at no more of them than fit. */
    private static boolean isShort(JsonNode node, int width) {
        int length = "[]".length();
        for (JsonNode value : node) {
            length += lengthOf(value) + ", ".length();
            if (length > width || (value.isContainerNode() && !value.isEmpty())) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            length += field.getKey().length() + "\"\": ".length();
        }
        return length <= width;
    }

    private static int lengthOf(JsonNode value) {
        return value.isTextual()
                ? value.textValue().length() + "\"\"".length()
                : value.toString().length();
    }

    private String key(String name) {
        return paint.cyan(Json.compact(TextNode.valueOf(name)));
    }

    private String plain(JsonNode value) {
        String json = Json.compact(value);
        return value.isTextual() ? paint.green(json) : json;
    }
}
