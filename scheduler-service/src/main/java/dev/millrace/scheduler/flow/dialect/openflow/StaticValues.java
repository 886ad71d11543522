package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.TemplateReader;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of the values of input transforms that refer to variables and resources: the texts {@code $var:PATH} and
 * {@code $res:PATH} in static values, and the calls {@code variable('PATH')} and {@code resource('PATH')}, each alone in
 * an expression. A variable becomes a secret.
 */
final class StaticValues {
    private static final Pattern TEXT = Pattern.compile("\\$(?<kind>var|res):(?<path>.*)", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile(
            "\\s*(?:await\\s+)?(?<kind>variable|resource)\\(\\s*(?<quote>['\"])(?<path>[^'\"]*)\\k<quote>\\s*\\)\\s*;?\\s*");

    private final TemplateReader reader;

    StaticValues(Reading reading) {
        this.reader = new TemplateReader(reading.problems(), StaticValues::text);
    }

    Template read(SourceNode node, String path) {
        return reader.read(node, path);
    }

    /** Reads an expression that is nothing but such a call; empty for any other expression. */
    static Optional<TemplateReading> call(String expression) {
        Matcher call = CALL.matcher(expression);
        return call.matches() ? Optional.of(reference(call, expression.strip())) : Optional.empty();
    }

    private static TemplateReading text(SourceNode.Text text, String path) {
        Matcher reference = TEXT.matcher(text.text());
        return reference.matches()
                ? reference(reference, text.text())
                : new TemplateReading.Read(new Template.Constant(JsonValue.ofString(text.text())));
    }

    private static TemplateReading reference(Matcher found, String source) {
        ReferenceKind kind = found.group("kind").startsWith("var") ? ReferenceKind.SECRET : ReferenceKind.RESOURCE;
        String path = found.group("path");
        return ReferencePath.isValid(path)
                ? new TemplateReading.Read(new Template.Whole(new Path(new Root.Reference(kind, path))))
                : new TemplateReading.Unreadable(
                        "\"" + source + "\" does not name one of the " + kind.root() + ".",
                        "Write a path: " + ReferencePath.EXPECTED + ".");
    }
}
