package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.dialect.Numbers;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewriter of workflows from schema version 1 to version 2.
 *
 * <p>In version 1, each parameter is a path of three names without {@code ${}}: {@code workflow.input.NAME},
 * {@code TASK.input.NAME} or {@code TASK.output.NAME}.
 */
final class FirstSchema {
    static final int VERSION = 1;

    private static final List<String> PARAMETERS = List.of("inputParameters", "outputParameters");
    private static final Pattern PATH =
            Pattern.compile("(?<holder>[^.${}\\s]+)\\.(?<kind>[^.${}\\s]+)\\.(?<name>[^.${}]+)");

    private FirstSchema() {}

    /** Returns the document with {@code ${}} around the paths in those parts whose {@code schemaVersion} is 1. */
    static SourceNode rewritten(SourceNode document) {
        return rewritten(document, false);
    }

    private static SourceNode rewritten(SourceNode node, boolean first) {
        return switch (node) {
            case SourceNode.Mapping mapping -> {
                boolean inside = mapping.member("schemaVersion")
                        .flatMap(Numbers::whole)
                        .map(version -> version == VERSION)
                        .orElse(first);
                yield new SourceNode.Mapping(
                        mapping.mark(),
                        mapping.entries().stream()
                                .map(entry -> with(
                                        entry,
                                        inside && PARAMETERS.contains(entry.key())
                                                ? parameters(entry.value())
                                                : rewritten(entry.value(), inside)))
                                .toList());
            }
            case SourceNode.Sequence sequence ->
                new SourceNode.Sequence(
                        sequence.mark(),
                        sequence.items().stream()
                                .map(item -> rewritten(item, first))
                                .toList());
            case SourceNode.Text _, SourceNode.Literal _ -> node;
        };
    }

    private static SourceNode parameters(SourceNode node) {
        return node instanceof SourceNode.Mapping mapping
                ? new SourceNode.Mapping(
                        mapping.mark(),
                        mapping.entries().stream()
                                .map(entry -> with(entry, parameter(entry.value())))
                                .toList())
                : node;
    }

    /**
     * Rewrites one path. The only readable part of a workflow is its input. For a task, any kind other than
     * {@code input} means its output.
     */
    private static SourceNode parameter(SourceNode node) {
        Matcher path = PATH.matcher(node instanceof SourceNode.Text text ? text.text() : "");
        if (!path.matches()) {
            return node;
        }
        boolean input =
                path.group("holder").equals("workflow") || path.group("kind").equals("input");
        return new SourceNode.Text(
                node.mark(), "${" + path.group("holder") + (input ? ".input." : ".output.") + path.group("name") + "}");
    }

    private static SourceNode.Entry with(SourceNode.Entry entry, SourceNode value) {
        return new SourceNode.Entry(entry.key(), entry.mark(), value);
    }
}
