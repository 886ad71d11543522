package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.expression.evaluator.WorkWatch;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Engine that runs and parses scripts in the single realm of a child process. Confined to one thread. */
public final class JavaScriptEngine {
    private final RealmHost host;
    private final BoundedCache<String, Compiled> functions = new BoundedCache<>(Limits.FUNCTIONS_KEPT_MAX);

    public JavaScriptEngine(WorkWatch watch) {
        this.host = new RealmHost(watch);
    }

    /** Opens the realm, which takes a second or more. */
    public void warmUp() {
        host.parse("(function(){return 0})", new Parsing(Compiled.of("(function(){return 0})"), 0));
    }

    /** Calls a function; see {@link ScriptCall}. */
    public Answer evaluate(List<@Nullable String> parts, Engine.Lookup values) {
        ScriptCall call = ScriptCall.read(parts);
        Compiled function = functions
                .find(call.function(), text -> Optional.of(Compiled.of(text)))
                .orElseThrow();
        return new Answer.Value(host.evaluate(new Evaluation(call, function, values)));
    }

    /**
     * Parses a function. The parts of the request are its text, the script as written, and the number of characters
     * before the script in its first line.
     */
    public Answer parse(List<@Nullable String> parts, Engine.Lookup values) {
        try {
            Compiled function = Compiled.of(Objects.requireNonNull(parts.get(0)));
            host.parse(
                    Objects.requireNonNull(parts.get(1)),
                    new Parsing(function, Integer.parseInt(Objects.requireNonNull(parts.get(2)))));
            return new Answer.Value("");
        } catch (ScriptInvalid invalid) {
            return new Answer.Invalid(String.valueOf(invalid.getMessage()), invalid.remedy());
        }
    }
}
