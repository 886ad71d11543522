package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.gotemplate.GoTemplates;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of {@code params}: JSON trees whose strings may contain templates. */
final class Params {
    private final Reading reading;

    Params(Reading reading) {
        this.reading = reading;
    }

    Template read(SourceNode node, String path) {
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
            case SourceNode.Mapping mapping -> {
                Map<String, Template> members = new LinkedHashMap<>();
                for (SourceNode.Entry entry : Fields.of(reading.problems(), mapping, path, "a value", List.of())
                        .entries()) {
                    members.put(entry.key(), read(entry.value(), Paths.member(path, entry.key())));
                }
                yield Template.object(members);
            }
        };
    }

    private Template text(SourceNode.Text text, String path) {
        if (!text.text().contains("{{")) {
            return new Template.Constant(JsonValue.ofString(text.text()));
        }
        return switch (GoTemplates.read(text.text(), reading)) {
            case TemplateReading.Read read -> reading.named(text.text(), read.template());
            case TemplateReading.Unreadable unreadable -> {
                reading.problem(text.mark(), path, unreadable.message(), unreadable.remedy());
                yield Template.Constant.NULL;
            }
        };
    }
}
