package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.List;
import java.util.Optional;

/** Problems and counts collected while one definition is read. */
final class Reading {
    private final Problems problems;
    private int tasks;

    Reading(Problems problems) {
        this.problems = problems;
    }

    Problems problems() {
        return problems;
    }

    void problem(Mark mark, String path, String message, String remedy) {
        problems.add(mark, path, message, remedy);
    }

    /** Reports a problem with the value of a key, or with the object if it lacks the key. */
    void problem(Fields fields, String key, String message, String remedy) {
        problem(fields.find(key).map(SourceNode::mark).orElse(fields.mark()), fields.path(key), message, remedy);
    }

    /** Warns about a setting that has no effect. */
    void warn(Mark mark, String path, String message, String remedy) {
        problems.warn(mark, path, message, remedy);
    }

    /** Warns about the value of a key. */
    void warn(Fields fields, String key, String message, String remedy) {
        warn(fields.find(key).map(SourceNode::mark).orElse(fields.mark()), fields.path(key), message, remedy);
    }

    /**
     * Reads the keys of an object. Keys with the value null count as absent, because exported definitions have many of
     * them.
     */
    Fields fields(SourceNode node, String path, String what, List<String> known) {
        return Fields.tolerant(problems, withoutNulls(node), path, what, known);
    }

    /** Reads the maximum number of retries, reduced to the limit if necessary. */
    Optional<Integer> retryCount(Fields fields) {
        Optional<Integer> count = fields.whole("retryCount", 0, Integer.MAX_VALUE);
        if (count.filter(retries -> retries > RetryPolicy.RETRIES_LIMIT).isEmpty()) {
            return count;
        }
        warn(
                fields,
                "retryCount",
                "retryCount is " + count.get() + ", but the task is retried at most " + RetryPolicy.RETRIES_LIMIT
                        + " times.",
                "Write at most " + RetryPolicy.RETRIES_LIMIT + ".");
        return Optional.of(RetryPolicy.RETRIES_LIMIT);
    }

    private static SourceNode withoutNulls(SourceNode node) {
        return node instanceof SourceNode.Mapping mapping
                ? new SourceNode.Mapping(
                        mapping.mark(),
                        mapping.entries().stream()
                                .filter(entry -> !isNull(entry.value()))
                                .toList())
                : node;
    }

    private static boolean isNull(SourceNode node) {
        return node instanceof SourceNode.Literal literal && literal.value().kind() == JsonValue.Kind.NULL;
    }

    /** Whether a value is null, false, zero, or an empty object, array or string. */
    static boolean isEmpty(SourceNode node) {
        return switch (node) {
            case SourceNode.Text text -> text.text().isEmpty();
            case SourceNode.Literal literal -> !literal.value().isTruthy();
            case SourceNode.Mapping mapping -> mapping.entries().isEmpty();
            case SourceNode.Sequence sequence -> sequence.items().isEmpty();
        };
    }

    /** Counts a task. Returns whether the number of tasks is still within the limit. */
    boolean countTask(Mark mark, String path) {
        tasks++;
        if (tasks == FlowLimits.STEPS_MAX + 1) {
            problem(
                    mark,
                    path,
                    "The workflow has more than the limit of " + FlowLimits.STEPS_MAX + " tasks.",
                    "Use a loop or a dynamic fork for tasks that are alike, or split the workflow.");
        }
        return tasks <= FlowLimits.STEPS_MAX;
    }
}
