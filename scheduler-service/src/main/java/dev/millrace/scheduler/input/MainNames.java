package dev.millrace.scheduler.input;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.text.signature.MainParameters;
import java.util.Optional;

/** Makes schemas with the names of parameters and without their types, from the text of scripts whose signature no worker has read yet. */
final class MainNames {
    private MainNames() {}

    /** The schema of a script's inputs; empty if its text leaves a doubt about them. */
    static Optional<InputSchema> of(Language language, String source) {
        return parameters(language, source)
                .map(MainNames::schema)
                .filter(text -> text.length() <= InputSchema.CHARS_MAX)
                .map(text -> new InputSchema(new Json(text), InputSchema.Origin.SIGNATURE));
    }

    private static Optional<MainParameters> parameters(Language language, String source) {
        if (language.equals(Language.PYTHON)) {
            return MainParameters.ofPython(source);
        }
        return language.equals(Language.DENO) || language.equals(Language.BUN)
                ? MainParameters.ofTypeScript(source)
                : Optional.empty();
    }

    private static String schema(MainParameters main) {
        ObjectNode schema = DeclaredSchemas.object(JsonNodeFactory.instance.objectNode());
        ObjectNode properties = schema.putObject("properties");
        for (String name : main.names()) {
            properties.putObject(name);
            if (main.required().contains(name)) {
                schema.withArray("required").add(name);
            }
        }
        schema.put("additionalProperties", main.isOpen());
        return schema.toString();
    }
}
