package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.dialect.SourceNode;

/** Removal of members that are null, which count as absent. */
final class Nulls {
    private Nulls() {}

    static SourceNode without(SourceNode node) {
        return node instanceof SourceNode.Mapping mapping
                ? new SourceNode.Mapping(
                        mapping.mark(),
                        mapping.entries().stream()
                                .filter(entry -> !isNull(entry.value()))
                                .toList())
                : node;
    }

    private static boolean isNull(SourceNode node) {
        return node instanceof SourceNode.Literal literal && literal.value().isNull();
    }
}
