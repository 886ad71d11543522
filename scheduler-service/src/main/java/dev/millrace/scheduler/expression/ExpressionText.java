package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writer of expressions in the dialect {@code millrace}. */
public final class ExpressionText {
    private ExpressionText() {}

    /** Returns the text of a whole expression; empty if the dialect cannot express it. */
    public static Optional<String> of(Expression expression) {
        return switch (expression) {
            case Path path -> Optional.of(path.toString());
            case Computed computed -> computed.text();
        };
    }

    /** Returns the text of an expression as a part of another expression. */
    public static Optional<String> operand(Expression expression) {
        return switch (expression) {
            case Path path -> Optional.of(root(path.root()) + of(path.segments()));
            case Computed computed -> computed.operand();
        };
    }

    /** Returns the text of the segments of a path. */
    public static String of(List<Segment> segments) {
        return segments.stream().map(Segment::toString).collect(Collectors.joining());
    }

    /** Returns the text for a step. */
    public static String step(String id) {
        return "steps" + Segment.key(id, false);
    }

    private static String root(Root root) {
        return switch (root) {
            case Root.StepResult step -> step(step.id()) + ".result";
            case Root.StepResultIfAny step -> step(step.id()) + "?.result";
            case Root.Inputs _,
                    Root.Item _,
                    Root.Index _,
                    Root.Variables _,
                    Root.Environment _,
                    Root.Result _,
                    Root.ResultsSoFar _,
                    Root.Failure _,
                    Root.Retry _,
                    Root.Reference _,
                    Root.Run _ -> root.toString();
        };
    }

    /** Returns the text of an expression with the same value as a template. */
    public static Optional<String> of(Template template) {
        return switch (template) {
            case Template.Constant constant -> Optional.of(constant.value().toString());
            case Template.Whole whole -> of(whole.expression());
            case Template.Text text -> joined(text);
            case Template.Members object -> {
                List<Optional<String>> members = new ArrayList<>();
                for (Map.Entry<String, Template> member : object.members().entrySet()) {
                    members.add(of(member.getValue()).map(text -> JsonStrings.quote(member.getKey()) + ": " + text));
                }
                yield listed(members, "{", "}");
            }
            case Template.Elements array ->
                listed(array.elements().stream().map(ExpressionText::of).toList(), "[", "]");
        };
    }

    /**
     * Writes a text with embedded expressions as a call of {@code text.join(…)}, which converts their values to text.
     */
    private static Optional<String> joined(Template.Text text) {
        List<Optional<String>> parts = new ArrayList<>();
        for (Template.Part part : text.parts()) {
            parts.add(
                    switch (part) {
                        case Template.Part.Literal literal -> Optional.of(JsonStrings.quote(literal.text()));
                        case Template.Part.Embedded embedded -> of(embedded.expression());
                    });
        }
        return listed(parts, TextFunctions.JOIN + "(", ")");
    }

    private static Optional<String> listed(List<Optional<String>> parts, String open, String close) {
        return parts.stream().allMatch(Optional::isPresent)
                ? Optional.of(parts.stream().map(Optional::orElseThrow).collect(Collectors.joining(", ", open, close)))
                : Optional.empty();
    }
}
