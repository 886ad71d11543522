package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of texts with <code>{{.secrets.FOLDER.NAME}}</code> and <code>{{.resources.FOLDER.NAME}}</code>, alone or
 * beside literal text.
 */
final class ReferenceTexts {
    private static final Pattern REFERENCE =
            Pattern.compile("\\{\\{\\s*\\.(?<kind>secrets|resources)\\.(?<path>[A-Za-z0-9_.-]+)\\s*}}");

    private ReferenceTexts() {}

    /** Reads a text; empty if it refers to no secret and no resource. */
    static Optional<TemplateReading> read(String text) {
        Matcher reference = REFERENCE.matcher(text);
        if (!reference.find()) {
            return Optional.empty();
        }
        List<Template.Part> parts = new ArrayList<>();
        int position = 0;
        do {
            addLiteral(text.substring(position, reference.start()), parts);
            String path = reference.group("path").replace('.', '/');
            if (!ReferencePath.isValid(path)) {
                return Optional.of(new TemplateReading.Unreadable(
                        "\"" + reference.group() + "\" does not name one of the " + reference.group("kind") + ".",
                        "A path has " + ReferencePath.EXPECTED + ", and here a dot in place of each '/'."));
            }
            ReferenceKind kind = ReferenceKind.SECRET.root().equals(reference.group("kind"))
                    ? ReferenceKind.SECRET
                    : ReferenceKind.RESOURCE;
            parts.add(new Template.Part.Embedded(new Path(new Root.Reference(kind, path))));
            position = reference.end();
        } while (reference.find());
        addLiteral(text.substring(position), parts);
        return Optional.of(reading(text, parts));
    }

    private static TemplateReading reading(String text, List<Template.Part> parts) {
        boolean hasActions = parts.stream()
                .anyMatch(part -> part instanceof Template.Part.Literal(String literal) && literal.contains("{{"));
        if (hasActions) {
            return new TemplateReading.Unreadable(
                    "The text \"" + text + "\" refers to secrets or resources beside other actions.",
                    "Write literal text and references only, or pass the values under keys of their own.");
        }
        return new TemplateReading.Read(
                parts.size() == 1 && parts.getFirst() instanceof Template.Part.Embedded(var only)
                        ? new Template.Whole(only)
                        : new Template.Text(parts));
    }

    private static void addLiteral(String literal, List<Template.Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Template.Part.Literal(literal));
        }
    }
}
