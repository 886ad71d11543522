package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.evaluator.Engine;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** Execution of a script with the values that it reads. */
final class Evaluation implements Work<String> {
    /** Number of the runner's arguments before those of the script. */
    private static final int FIXED_ARGUMENTS = 4;

    private final ScriptCall call;
    private final Compiled function;
    private final Engine.Lookup values;

    Evaluation(ScriptCall call, Compiled function, Engine.Lookup values) {
        this.call = call;
        this.function = function;
        this.values = values;
    }

    String source() {
        return call.source();
    }

    /** Number of characters that the script reads. */
    int chars() {
        int chars = 0;
        for (String text : call.arguments()) {
            chars += text == null ? 0 : text.length();
        }
        return chars;
    }

    @Override
    public boolean endsRealm() {
        return call.leavesTraces();
    }

    @Override
    public String in(Realm realm, Context context) {
        try {
            Value result = realm.runner().execute(arguments(realm.function(function, context)));
            return result.isNull() ? "null" : result.asString();
        } catch (PolyglotException thrown) {
            if (thrown.isCancelled()
                    || thrown.isInterrupted()
                    || thrown.isResourceExhausted()
                    || thrown.isInternalError()) {
                throw thrown;
            }
            throw Failures.thrown(call.source(), thrown);
        }
    }

    private @Nullable Object[] arguments(Value script) {
        List<@Nullable String> texts = call.arguments();
        @Nullable Object[] arguments = new Object[FIXED_ARGUMENTS + texts.size()];
        arguments[0] = script;
        if (call.onDemand().contains(true)) {
            arguments[1] = (ProxyExecutable) this::fetch;
            arguments[2] = ProxyArray.fromArray(call.onDemand().toArray());
        }
        arguments[3] = call.javaMethods();
        for (int i = 0; i < texts.size(); i++) {
            arguments[FIXED_ARGUMENTS + i] = texts.get(i);
        }
        return arguments;
    }

    /** Fetches the JSON of a step whose id the script computes; null if the step does not exist. */
    private @Nullable Object fetch(Value... arguments) {
        return values.find(arguments[0].asInt(), arguments[1].asString());
    }
}
