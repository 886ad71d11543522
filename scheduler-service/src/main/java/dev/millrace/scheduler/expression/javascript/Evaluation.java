package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** Runs a script on what it reads. */
final class Evaluation extends Work<String> {
    private final Script script;
    private final List<@Nullable String> texts;
    private final Scope scope;

    Evaluation(Script script, List<@Nullable String> texts, Scope scope) {
        this.script = script;
        this.texts = texts;
        this.scope = scope;
    }

    @Override
    String in(Realm realm, Context context) {
        try {
            Value function = realm.function(script.function(), context);
            Value result = realm.runner().execute(arguments(function));
            return result.isNull() ? "null" : result.asString();
        } catch (PolyglotException thrown) {
            if (thrown.isCancelled()
                    || thrown.isInterrupted()
                    || thrown.isResourceExhausted()
                    || thrown.isInternalError()) {
                throw thrown;
            }
            throw Failures.thrown(script.source(), thrown);
        }
    }

    private @Nullable Object[] arguments(Value function) {
        @Nullable Object[] arguments = new Object[3 + texts.size()];
        arguments[0] = function;
        if (script.parameters().stream().anyMatch(Script.Parameter::onDemand)) {
            arguments[1] = (ProxyExecutable) this::fetch;
            arguments[2] = ProxyArray.fromArray(
                    script.parameters().stream().map(Script.Parameter::onDemand).toArray());
        }
        for (int i = 0; i < texts.size(); i++) {
            arguments[3 + i] = texts.get(i);
        }
        return arguments;
    }

    /** The JSON of a step that the script asks for by a computed id; null where there is none. */
    private @Nullable Object fetch(Value... arguments) {
        Script.Parameter parameter = script.parameters().get(arguments[0].asInt());
        String id = arguments[1].asString();
        synchronized (this) {
            if (isAbandoned()) {
                return null;
            }
            Optional<JsonValue> result = scope.findStepResult(id);
            if (result.isEmpty()) {
                return null;
            }
            if (result.get().length() > Limits.STRING_CHARS_MAX) {
                throw new EvaluationFailed(
                        "PayloadTooLarge", "The result of step \"" + id + "\" is too large for an expression.");
            }
            return parameter.binding() instanceof Binding.Steps
                    ? "{\"result\":" + result.get().text() + "}"
                    : result.get().text();
        }
    }
}
