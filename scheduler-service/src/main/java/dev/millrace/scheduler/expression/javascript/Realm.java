package dev.millrace.scheduler.expression.javascript;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/** JavaScript context with frozen global objects, opened on first use. Confined to one thread. */
final class Realm {
    private static final Source MAKER =
            Source.newBuilder("js", resource("realm.js"), "realm.js").buildLiteral();
    private static final Source WARM_UP =
            Source.newBuilder("js", resource("warm-up.js"), "warm-up.js").buildLiteral();

    private final Engine engine;
    private @Nullable Context context;
    private @Nullable Value runner;
    private final Map<Source, Value> functions = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Source, Value> eldest) {
            return size() > Limits.FUNCTIONS_KEPT_MAX;
        }
    };

    Realm() {
        // Without its own compiler, the engine interprets scripts. This is intended, so its warning would only confuse
        // operators.
        this.engine = Engine.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
    }

    /** Returns the context, ready for one piece of work. */
    Context open() {
        Context open = context;
        if (open == null) {
            open = made();
            context = open;
        }
        open.resetLimits();
        return open;
    }

    /** Discards the context. */
    void close() {
        Context used = context;
        context = null;
        runner = null;
        functions.clear();
        if (used != null) {
            try {
                used.leave();
                used.close(true);
            } catch (PolyglotException | IllegalStateException closed) {
                // The context was closed by another thread, which is how running code is stopped.
            }
        }
    }

    private Context made() {
        Context fresh = Context.newBuilder("js")
                .engine(engine)
                .sandbox(SandboxPolicy.TRUSTED)
                .allowAllAccess(false)
                .allowHostAccess(HostAccess.NONE)
                .allowPolyglotAccess(PolyglotAccess.NONE)
                .allowIO(IOAccess.NONE)
                .allowCreateThread(false)
                .allowNativeAccess(false)
                .allowCreateProcess(false)
                .allowHostClassLoading(false)
                .resourceLimits(ResourceLimits.newBuilder()
                        .statementLimit(Limits.STATEMENTS_MAX, null)
                        .build())
                .allowExperimentalOptions(true)
                .options(Map.ofEntries(
                        Map.entry("js.disable-eval", "true"),
                        Map.entry("js.bigint", "false"),
                        Map.entry("js.load", "false"),
                        Map.entry("js.print", "false"),
                        Map.entry("js.console", "false"),
                        Map.entry("js.graal-builtin", "false"),
                        Map.entry("js.polyglot-builtin", "false"),
                        Map.entry("js.java-package-globals", "false"),
                        Map.entry("js.foreign-object-prototype", "false"),
                        Map.entry("js.regexp-static-result", "false"),
                        Map.entry("js.intl-402", "false"),
                        Map.entry("js.timezone", "UTC"),
                        Map.entry("js.max-apply-argument-length", Integer.toString(Limits.ARGUMENTS_MAX)),
                        Map.entry("js.function-arguments-limit", Integer.toString(Limits.ARGUMENTS_MAX)),
                        Map.entry("js.string-length-limit", Integer.toString(Limits.STRING_CHARS_MAX))))
                .build();
        fresh.enter();
        runner = fresh.eval(MAKER).execute(Limits.ARRAY_LENGTH_MAX);
        runner.execute(
                fresh.eval(WARM_UP),
                null,
                new boolean[0],
                false,
                "{\"list\":[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]}");
        return fresh;
    }

    /** Returns the function of a script in this realm. */
    Value function(Compiled script, Context fresh) {
        Value known = functions.get(script.function());
        if (known == null) {
            known = fresh.eval(script.function());
            functions.put(script.function(), known);
        }
        return known;
    }

    Value runner() {
        Value made = runner;
        if (made == null) {
            throw new IllegalStateException("the realm is not open");
        }
        return made;
    }

    private static String resource(String name) {
        try (InputStream stream = Realm.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is not on the class path.");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
