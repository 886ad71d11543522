package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Conversion of an {@code http_request} that refers to secrets. The worker puts their values into the input of the
 * handler, so their places there must be known when the workflow is deployed.
 */
final class HttpTemplate {
    private static final Map<String, String> RENAMED = Map.of("uri", "url", "method", "method", "body", "body");

    private HttpTemplate() {}

    /**
     * Converts a request; empty if it refers to nothing, or if a part that decides about other parts is known only at
     * run time.
     */
    static Optional<Template> of(Template request) {
        if (!(request instanceof Template.Members(Map<String, Template> members))
                || InputReference.of(request).isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonValue> constants = new LinkedHashMap<>();
        Map<String, Template> others = new LinkedHashMap<>();
        members.forEach((name, member) -> {
            if (member instanceof Template.Constant(JsonValue constant)) {
                constants.put(name, constant);
            } else {
                others.put(name, member);
            }
        });
        try {
            return converted(HttpRequest.of(JsonObjects.of(constants)), others);
        } catch (EvaluationFailed wrong) {
            return Optional.empty();
        }
    }

    private static Optional<Template> converted(JsonValue call, Map<String, Template> others) {
        Map<String, Template> input = new LinkedHashMap<>();
        call.members().forEach((name, value) -> input.put(name, new Template.Constant(value)));
        for (Map.Entry<String, Template> other : others.entrySet()) {
            String renamed = RENAMED.get(other.getKey());
            if (renamed != null) {
                input.put(renamed, other.getValue());
            } else if (other.getKey().equals("headers")
                    && other.getValue() instanceof Template.Members(Map<String, Template> headers)) {
                input.put("headers", headers(JsonObjects.member(call, "headers"), headers));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(Template.object(input));
    }

    private static Template headers(JsonValue defaults, Map<String, Template> own) {
        Map<String, Template> headers = new LinkedHashMap<>();
        defaults.members().forEach((name, value) -> headers.put(name, new Template.Constant(value)));
        own.forEach((name, value) -> {
            headers.keySet().removeIf(name::equalsIgnoreCase);
            headers.put(name, value);
        });
        return Template.object(headers);
    }
}
