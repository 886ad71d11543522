package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.gotemplate.GoTemplates;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.TemplateReader;
import java.util.Optional;

/** Reader of {@code params}: JSON trees whose strings may contain templates. */
final class Params {
    private final Reading reading;
    private final TemplateReader reader;

    Params(Reading reading) {
        this.reading = reading;
        this.reader = new TemplateReader(reading.problems(), this::text);
    }

    Template read(SourceNode node, String path) {
        return reader.read(node, path);
    }

    private TemplateReading text(SourceNode.Text text, String path) {
        if (!text.text().contains("{{")) {
            return new TemplateReading.Read(new Template.Constant(JsonValue.ofString(text.text())));
        }
        Optional<TemplateReading> references = ReferenceTexts.read(text.text());
        if (references.isPresent()) {
            return references.get();
        }
        TemplateReading read = GoTemplates.read(text.text(), reading);
        return read instanceof TemplateReading.Read(Template template)
                ? new TemplateReading.Read(reading.named(text.text(), template))
                : read;
    }
}
