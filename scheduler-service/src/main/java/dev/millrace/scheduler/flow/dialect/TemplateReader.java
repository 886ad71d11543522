package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reader of JSON trees whose strings may contain expressions. Literals, arrays and objects are read alike in all
 * dialects, and each dialect reads strings in its own way.
 */
public final class TemplateReader {
    private final Problems problems;
    private final Texts texts;

    public TemplateReader(Problems problems, Texts texts) {
        this.problems = problems;
        this.texts = texts;
    }

    /** Reads the strings of a dialect. */
    @FunctionalInterface
    public interface Texts {
        TemplateReading read(SourceNode.Text text, String path);
    }

    /** Reads a value. Reports each string that cannot be read, and reads null in its place. */
    public Template read(SourceNode node, String path) {
        return switch (node) {
            case SourceNode.Literal literal -> new Template.Constant(literal.value());
            case SourceNode.Text text -> text(text, path);
            case SourceNode.Sequence sequence -> {
                List<Template> elements = new ArrayList<>();
                for (SourceNode item : sequence.items()) {
                    elements.add(read(item, Paths.element(path, elements.size())));
                }
                yield Template.array(elements);
            }
            case SourceNode.Mapping mapping -> Template.object(members(mapping, path));
        };
    }

    /** Reads the values of an object. Reports keys that appear twice. */
    public Map<String, Template> members(SourceNode.Mapping mapping, String path) {
        Map<String, Template> members = new LinkedHashMap<>();
        Fields fields = Fields.of(problems, mapping, path, "a value", List.of());
        for (SourceNode.Entry entry : fields.entries()) {
            members.put(entry.key(), read(entry.value(), fields.path(entry.key())));
        }
        return members;
    }

    private Template text(SourceNode.Text text, String path) {
        return switch (unmixed(text, texts.read(text, path))) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> {
                problems.add(text.mark(), path, unreadable.message(), unreadable.remedy());
                yield Template.Constant.NULL;
            }
        };
    }

    private static TemplateReading unmixed(SourceNode.Text text, TemplateReading reading) {
        return reading instanceof TemplateReading.Read(Template template) && InputReference.isMixed(template)
                ? new TemplateReading.Unreadable(
                        "The text \"" + text.text() + "\" refers to secrets or resources beside other expressions.",
                        "Write literal text and references only, or pass the values under keys of their own.")
                : reading;
    }
}
