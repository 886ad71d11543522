package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.jsonpath.PathTemplates;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.TemplateReader;
import java.util.Map;

/** Reader of values whose strings may contain <code>${…}</code>. */
final class Values {
    private final TaskReferences references;
    private final TemplateReader reader;

    Values(Reading reading, TaskReferences references) {
        this.references = references;
        this.reader = new TemplateReader(reading.problems(), this::text);
    }

    Template template(SourceNode node, String path) {
        return reader.read(node, path);
    }

    Map<String, Template> members(SourceNode.Mapping mapping, String path) {
        return reader.members(mapping, path);
    }

    private TemplateReading text(SourceNode.Text text, String path) {
        return text.text().contains("${")
                ? PathTemplates.read(text.text(), references.at(text.mark(), path))
                : new TemplateReading.Read(new Template.Constant(JsonValue.ofString(text.text())));
    }
}
