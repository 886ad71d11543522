package dev.millrace.flowtest.file;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what a test expects. */
final class ExpectationReader {
    private static final List<String> KEYS = List.of("output", "error", "steps", "calls", "started", "elapsed");
    private static final List<String> ENDS = Stream.concat(
                    Arrays.stream(EndStatus.values())
                            .map(status -> status.name().toLowerCase(Locale.ROOT)),
                    Stream.of(Expectation.NONE))
            .toList();
    private static final Expectation SUCCESS =
            new Expectation(Optional.empty(), Optional.empty(), Map.of(), Map.of(), Optional.empty(), Optional.empty());

    private final Problems problems;

    ExpectationReader(Problems problems) {
        this.problems = problems;
    }

    /** Reads what stands under {@code expect} of a test; without it, the test expects success. */
    Expectation read(Fields test) {
        return test.find("expect")
                .map(node -> expectation(Fields.of(problems, node, test.path("expect"), "what a test expects", KEYS)))
                .orElse(SUCCESS);
    }

    private Expectation expectation(Fields fields) {
        return new Expectation(
                fields.find("output").map(SourceNode::constant),
                fields.find("error").map(node -> error(node, fields.path("error"))),
                steps(fields),
                calls(fields),
                fields.has("started") ? Optional.of(fields.texts("started")) : Optional.empty(),
                fields.duration("elapsed", Duration.ZERO, Durations.LONGEST));
    }

    private Expectation.ExpectedError error(SourceNode node, String path) {
        if (node instanceof SourceNode.Text text) {
            return new Expectation.ExpectedError("", text.text());
        }
        Fields fields = Fields.of(problems, node, path, "an error", List.of("name", "message"));
        return new Expectation.ExpectedError(
                fields.text("name").orElse(""), fields.text("message").orElse(""));
    }

    private Map<String, String> steps(Fields around) {
        Map<String, String> steps = new LinkedHashMap<>();
        around.find("steps").ifPresent(node -> {
            Fields fields = Fields.of(problems, node, around.path("steps"), "steps", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                Optional<String> end = fields.text(entry.key());
                if (end.isPresent() && !ENDS.contains(end.get())) {
                    problems.add(
                            entry.value().mark(),
                            fields.path(entry.key()),
                            "A step cannot end as \"" + end.get() + "\".",
                            "Write one of: " + String.join(", ", ENDS) + ".");
                }
                steps.put(entry.key(), end.orElse(Expectation.NONE));
            }
        });
        return steps;
    }

    private Map<String, JsonValue> calls(Fields around) {
        Map<String, JsonValue> calls = new LinkedHashMap<>();
        around.find("calls").ifPresent(node -> {
            Fields fields = Fields.of(problems, node, around.path("calls"), "calls", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                JsonValue value = entry.value().constant();
                if (value.kind() != JsonValue.Kind.NUMBER && value.kind() != JsonValue.Kind.ARRAY) {
                    problems.add(
                            entry.value().mark(),
                            fields.path(entry.key()),
                            "The calls of a fake are " + value.kind().phrase() + ".",
                            "Write how many calls there are, or an array of their inputs.");
                }
                calls.put(entry.key(), value);
            }
        });
        return calls;
    }
}
