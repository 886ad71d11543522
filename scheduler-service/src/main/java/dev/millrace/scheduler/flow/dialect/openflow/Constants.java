package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.TemplateReader;

/** Reader of values without expressions. */
final class Constants {
    private final TemplateReader reader;

    Constants(Reading reading) {
        this.reader = new TemplateReader(reading.problems(), Constants::text);
    }

    JsonValue read(SourceNode node, String path) {
        return reader.read(node, path) instanceof Template.Constant constant ? constant.value() : JsonValue.NULL;
    }

    private static TemplateReading text(SourceNode.Text text, String path) {
        if (text.text().startsWith("$res:") || text.text().startsWith("$var:")) {
            return new TemplateReading.Unreadable(
                    "\"" + text.text() + "\" refers to a resource or variable, which has no value here.",
                    "Use it in the input_transforms of a script: only workers get its value.");
        }
        return new TemplateReading.Read(new Template.Constant(JsonValue.ofString(text.text())));
    }
}
