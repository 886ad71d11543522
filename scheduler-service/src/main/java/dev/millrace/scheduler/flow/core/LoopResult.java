package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Brings the results of iterations or branches together. */
final class LoopResult {
    private LoopResult() {}

    static Resolution gather(FlowState state, LoopState loop) {
        Optional<Template> key = loop.fan().options().key();
        if (key.isPresent()) {
            return named(state, loop, key.get());
        }
        return new Resolution.Resolved(
                loop.fan() instanceof Node.Parallel parallel && parallel.isNamed()
                        ? branches(loop, parallel)
                        : array(loop));
    }

    private static JsonValue array(LoopState loop) {
        StringBuilder gathered = new StringBuilder((int) loop.resultLength() + loop.done() + 2);
        gathered.append('[');
        for (int i = loop.firstKept(); i < loop.done(); i++) {
            gathered.append(gathered.length() == 1 ? "" : ",").append(loop.result(i));
        }
        return JsonValue.of(gathered.append(']').toString());
    }

    private static JsonValue branches(LoopState loop, Node.Parallel parallel) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = 0; i < loop.done(); i++) {
            JsonValue result = loop.result(i);
            members.put(parallel.branches().get(i).name(), result == null ? JsonValue.NULL : result);
        }
        return object(members);
    }

    private static Resolution named(FlowState state, LoopState loop, Template key) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = loop.firstKept(); i < loop.done(); i++) {
            JsonValue result = loop.result(i);
            switch (Bindings.of(state, loop.newIteration(i)).resolve(key)) {
                case Resolution.Unresolved unresolved -> {
                    return unresolved;
                }
                case Resolution.Resolved name ->
                    members.put(text(name.value()), result == null ? JsonValue.NULL : result);
            }
        }
        return new Resolution.Resolved(object(members));
    }

    private static String text(JsonValue name) {
        return name.kind() == JsonValue.Kind.STRING ? name.string() : name.toString();
    }

    private static JsonValue object(Map<String, JsonValue> members) {
        StringBuilder object = new StringBuilder("{");
        members.forEach((name, value) -> {
            object.append(object.length() == 1 ? "" : ",");
            JsonStrings.appendQuoted(object, name);
            object.append(':').append(value);
        });
        return JsonValue.of(object.append('}').toString());
    }
}
