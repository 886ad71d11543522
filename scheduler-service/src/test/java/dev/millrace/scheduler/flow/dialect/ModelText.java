package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.queue.core.EndStatus;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A flow printed as text, so that two flows can be compared.
 *
 * <p>The text has every component of every record, and templates in the dialect {@code millrace}. A template used as an
 * expression is printed as the template. Of a {@code terminate} step, only the output or the reason is printed,
 * whichever its status uses.
 */
public final class ModelText {
    private final Map<String, String> scripts;
    private final List<Template> templates = new ArrayList<>();
    private final StringBuilder target = new StringBuilder();

    private ModelText(Map<String, String> scripts) {
        this.scripts = scripts;
    }

    /**
     * Prints a flow.
     *
     * @param scripts contents of scripts by path; the content is printed in place of the path
     */
    public static String of(FlowDefinition flow, Map<String, String> scripts) {
        ModelText text = new ModelText(scripts);
        text.write(flow, "\n");
        return text.target.toString();
    }

    /** Returns all templates, in the order in which they are printed. */
    public static List<Template> templates(FlowDefinition flow) {
        ModelText text = new ModelText(Map.of());
        text.write(flow, "\n");
        return text.templates;
    }

    private void write(Object value, String indent) {
        switch (value) {
            case Template template -> {
                templates.add(template);
                target.append(text(template));
            }
            case TaskTarget.ScriptPath script ->
                target.append("script ").append(scripts.getOrDefault(script.path(), script.path()));
            case StepAction.Terminate end -> {
                target.append(end.status()).append(' ');
                write(end.status() == EndStatus.SUCCEEDED ? end.output() : end.reason(), indent);
            }
            case Optional<?> optional -> optional.ifPresent(inner -> write(inner, indent));
            case Collection<?> elements ->
                elements.forEach(element -> {
                    target.append(indent).append("- ");
                    write(element, indent + "  ");
                });
            case Record data -> components(data, indent);
            default -> target.append(value);
        }
    }

    private void components(Record data, String indent) {
        target.append(data.getClass().getSimpleName());
        for (RecordComponent component : data.getClass().getRecordComponents()) {
            target.append(indent).append(component.getName()).append(": ");
            try {
                component.getAccessor().setAccessible(true);
                write(component.getAccessor().invoke(data), indent + "  ");
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }

    private static String text(Template template) {
        return switch (template) {
            case Template.Constant constant -> constant(constant.value());
            case Template.Whole(Composed composed) -> text(composed.template());
            case Template.Whole whole -> ExpressionText.of(whole.expression()).orElseThrow();
            case Template.Text text -> ExpressionText.of(text).orElseThrow();
            case Template.Members object ->
                object.members().entrySet().stream()
                        .map(member -> JsonStrings.quote(member.getKey()) + ": " + text(member.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case Template.Elements array ->
                array.elements().stream().map(ModelText::text).collect(Collectors.joining(", ", "[", "]"));
        };
    }

    private static String constant(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT ->
                value.members().entrySet().stream()
                        .map(member -> JsonStrings.quote(member.getKey()) + ": " + constant(member.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case ARRAY ->
                value.elements().stream().map(ModelText::constant).collect(Collectors.joining(", ", "[", "]"));
            case STRING -> JsonStrings.quote(value.string());
            case NUMBER, BOOLEAN, NULL -> value.text();
        };
    }
}
