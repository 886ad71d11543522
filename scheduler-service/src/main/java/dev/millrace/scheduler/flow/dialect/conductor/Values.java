package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.jsonpath.PathTemplates;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of JSON trees whose strings may contain <code>${…}</code>. */
final class Values {
    private final Reading reading;
    private final TaskReferences references;

    Values(Reading reading, TaskReferences references) {
        this.reading = reading;
        this.references = references;
    }

    Template template(SourceNode node, String path) {
        return switch (node) {
            case SourceNode.Literal literal -> new Template.Constant(literal.value());
            case SourceNode.Text text -> text(text, path);
            case SourceNode.Sequence sequence -> {
                List<Template> elements = new ArrayList<>();
                for (SourceNode item : sequence.items()) {
                    elements.add(template(item, Paths.element(path, elements.size())));
                }
                yield Template.array(elements);
            }
            case SourceNode.Mapping mapping -> Template.object(members(mapping, path));
        };
    }

    Map<String, Template> members(SourceNode.Mapping mapping, String path) {
        Map<String, Template> members = new LinkedHashMap<>();
        for (SourceNode.Entry entry : mapping.entries()) {
            String place = Paths.member(path, entry.key());
            if (members.putIfAbsent(entry.key(), template(entry.value(), place)) != null) {
                reading.problem(
                        entry.mark(),
                        place,
                        "The key \"" + entry.key() + "\" appears twice.",
                        "Remove one of the two.");
            }
        }
        return members;
    }

    private Template text(SourceNode.Text text, String path) {
        if (!text.text().contains("${")) {
            return new Template.Constant(JsonValue.ofString(text.text()));
        }
        return switch (PathTemplates.read(text.text(), references.at(text.mark(), path))) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> {
                reading.problem(text.mark(), path, unreadable.message(), unreadable.remedy());
                yield Template.Constant.NULL;
            }
        };
    }
}
