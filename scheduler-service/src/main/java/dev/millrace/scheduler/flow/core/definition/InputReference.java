package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A text in the input of a task that refers to secrets or resources, and its place in that input. It follows from the
 * definition alone, so nothing that a caller writes is ever taken for a reference.
 *
 * @param pointer place in the input, as a JSON pointer (RFC 6901)
 * @param parts one reference alone, or references and literal texts, whose values are joined to a text
 */
public record InputReference(String pointer, List<Part> parts) {
    public InputReference {
        requireNonNull(pointer, "pointer");
        parts = List.copyOf(parts);
    }

    /** A part of the text. */
    public sealed interface Part {
        /** Literal text. */
        record Literal(String text) implements Part {}

        /** The value of a secret or resource. */
        record Value(Root.Reference reference) implements Part {}
    }

    /** What the text refers to. */
    public Stream<Root.Reference> named() {
        return parts.stream().filter(Part.Value.class::isInstance).map(part -> ((Part.Value) part).reference());
    }

    /** The references in an input, in their order. */
    public static List<InputReference> of(Template input) {
        List<InputReference> found = new ArrayList<>();
        collect(input, "", found);
        return found;
    }

    private static void collect(Template template, String pointer, List<InputReference> found) {
        switch (template) {
            case Template.Constant _ -> {}
            case Template.Whole(Expression expression) -> {
                if (isReference(expression)) {
                    found.add(new InputReference(pointer, List.of(part(expression))));
                }
            }
            case Template.Text text -> {
                if (embedded(text).anyMatch(InputReference::isReference)) {
                    found.add(new InputReference(
                            pointer,
                            text.parts().stream().map(InputReference::part).toList()));
                }
            }
            case Template.Members(Map<String, Template> members) ->
                members.forEach((name, member) -> collect(member, pointer + "/" + escaped(name), found));
            case Template.Elements(List<Template> elements) -> {
                for (int i = 0; i < elements.size(); i++) {
                    collect(elements.get(i), pointer + "/" + i, found);
                }
            }
        }
    }

    /**
     * Whether a text refers to secrets or resources and holds other expressions, too. There is no telling such a text
     * apart from what its other expressions yield.
     */
    public static boolean isMixed(Template template) {
        return template instanceof Template.Text text
                && embedded(text).anyMatch(InputReference::isReference)
                && !embedded(text).allMatch(InputReference::isReference);
    }

    /** Whether an expression is nothing but a reference. */
    public static boolean isReference(Expression expression) {
        return expression instanceof Path path
                && path.root() instanceof Root.Reference
                && path.segments().isEmpty();
    }

    private static Stream<Expression> embedded(Template.Text text) {
        return text.parts().stream()
                .filter(Template.Part.Embedded.class::isInstance)
                .map(part -> ((Template.Part.Embedded) part).expression());
    }

    private static Part part(Template.Part part) {
        return switch (part) {
            case Template.Part.Literal(String text) -> new Part.Literal(text);
            case Template.Part.Embedded(Expression expression) -> part(expression);
        };
    }

    private static Part part(Expression expression) {
        if (expression instanceof Path path && path.root() instanceof Root.Reference reference) {
            return new Part.Value(reference);
        }
        throw new IllegalArgumentException(
                expression + " stands beside a reference (expected: literal text and references only)");
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
