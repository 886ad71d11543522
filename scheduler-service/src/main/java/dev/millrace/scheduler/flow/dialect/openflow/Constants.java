package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of values without expressions. */
final class Constants {
    private final Reading reading;

    Constants(Reading reading) {
        this.reading = reading;
    }

    JsonValue read(SourceNode node, String path) {
        return template(node, path) instanceof Template.Constant constant ? constant.value() : JsonValue.NULL;
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
        if (text.text().startsWith("$res:") || text.text().startsWith("$var:")) {
            reading.problem(
                    text.mark(),
                    path,
                    "\"" + text.text() + "\" stands for a resource or variable of Windmill, which are unknown here.",
                    "Give the value as an input of the flow, or let the script read it from the environment of its worker.");
        }
        return new Template.Constant(JsonValue.ofString(text.text()));
    }
}
