package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.TemplateReader;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reader of values whose strings may contain expressions. Collects what the expressions refer to. */
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
        Template template = new TemplateReader(reading.problems(), values::text).read(node.get(), fields.path(key));
        return new Value(Optional.of(template), values.references);
    }

    private TemplateReading text(SourceNode.Text text, String path) {
        TemplateReading read = Template.read(text.text(), reading.language());
        if (read instanceof TemplateReading.Read(Template template)) {
            for (Expression expression : template.expressions()) {
                references.add(new Reference(expression, text.mark(), path, sights));
            }
        }
        return read;
    }
}
