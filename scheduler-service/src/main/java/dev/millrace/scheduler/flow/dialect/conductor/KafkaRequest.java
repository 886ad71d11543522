package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Conversion of a {@code kafka_request} into the input of the handler {@code millrace.kafka}. */
record KafkaRequest(Expression request) implements Computed {
    /** Keys that a request may have. */
    static final List<String> KEYS = List.of(
            "bootStrapServers", "topic", "value", "key", "keySerializer", "headers", "requestTimeoutMs", "maxBlockMs");

    private static final String STRING_SERIALIZER = "StringSerializer";

    @Override
    public JsonValue evaluate(Scope scope) {
        return of(request.evaluate(scope));
    }

    static JsonValue of(JsonValue given) {
        if (given.kind() != JsonValue.Kind.OBJECT) {
            throw new EvaluationFailed("The kafka_request is " + given.kind().phrase() + " (expected: an object).");
        }
        JsonValue serializer = JsonObjects.member(given, "keySerializer");
        if (serializer.kind() == JsonValue.Kind.STRING && !serializer.string().endsWith(STRING_SERIALIZER)) {
            throw new EvaluationFailed("The keySerializer is \"" + serializer.string() + "\" (expected: "
                    + STRING_SERIALIZER + "). Keys are published as texts.");
        }
        Map<String, JsonValue> message = new LinkedHashMap<>();
        HttpRequest.copy(given, "bootStrapServers", message, "bootstrap_servers");
        for (String name : List.of("topic", "key", "value", "headers")) {
            HttpRequest.copy(given, name, message, name);
        }
        HttpRequest.seconds(given, "requestTimeoutMs", message, "timeout");
        return JsonObjects.of(message);
    }

    @Override
    public Reads reads() {
        return request.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".kafka")
                .expression(request)
                .write();
    }
}
