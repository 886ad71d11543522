package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reader of JSON trees whose strings may contain expressions. */
final class Values {
    private final Reading reading;
    private final List<Reference> references = new ArrayList<>();

    private final Set<Sight> sights;

    private Values(Reading reading, Set<Sight> sights) {
        this.reading = reading;
        this.sights = sights;
    }

    /** Reads the value of a key; empty if the key is absent. */
    static Value read(Reading reading, Fields fields, String key, Sight... sights) {
        Optional<SourceNode> node = fields.find(key);
        if (node.isEmpty()) {
            return Value.NONE;
        }
        Values values = new Values(reading, Set.of(sights));
        Template template = values.template(node.get(), fields.path(key));
        return new Value(Optional.of(template), values.references);
    }

    private Template template(SourceNode node, String path) {
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
            case SourceNode.Mapping mapping -> {
                Map<String, Template> members = new LinkedHashMap<>();
                for (SourceNode.Entry entry : Fields.of(reading.problems(), mapping, path, "a value", List.of())
                        .entries()) {
                    members.put(entry.key(), template(entry.value(), Paths.member(path, entry.key())));
                }
                yield Template.object(members);
            }
        };
    }

    private Template text(SourceNode.Text text, String path) {
        return switch (Template.read(text.text(), reading.language())) {
            case TemplateReading.Read read -> {
                for (Expression expression : read.template().expressions()) {
                    references.add(new Reference(expression, text.mark(), path, sights));
                }
                yield read.template();
            }
            case TemplateReading.Unreadable unreadable -> {
                reading.problem(text.mark(), path, unreadable.message(), unreadable.remedy());
                yield Template.Constant.NULL;
            }
        };
    }
}
