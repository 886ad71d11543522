package dev.millrace.scheduler.expression.engine;

import dev.millrace.scheduler.expression.evaluator.Answering;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Wire;
import dev.millrace.scheduler.expression.evaluator.WorkWatch;
import dev.millrace.scheduler.expression.gotemplate.GoEngine;
import dev.millrace.scheduler.expression.javascript.JavaScriptEngine;
import dev.millrace.scheduler.expression.jq.JqEngine;
import dev.millrace.scheduler.expression.jsonpath.PathEngine;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Main class of an evaluator process, which evaluates requests from standard input and writes answers to standard
 * output. The process ends with its parent.
 */
public final class EngineMain {
    private static final long PARENT_LOOK_SECONDS = 1;
    private static final Engine.Lookup NO_VALUES = (part, key) -> null;

    /** Stack size in bytes of the thread that evaluates. Deeper nesting or recursion fails the request. */
    private static final long STACK_BYTES = 4 << 20;
    /** Exit code after a bug in an engine. */
    private static final int EXIT_BROKEN = 1;

    private EngineMain() {}

    public static void main(String[] args) {
        Wire wire = new Wire(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        // Keeps anything that prints from writing into the frames.
        System.setOut(System.err);
        endWithParent();
        WorkWatch watch = new WorkWatch();
        watch.start();
        new Thread(null, () -> answer(wire, watch), "engine", STACK_BYTES).start();
    }

    private static void answer(Wire wire, WorkWatch watch) {
        int exit = EXIT_BROKEN;
        try {
            new Answering(wire, warmEngines(watch)).run();
            exit = 0;
        } catch (IOException schedulerGone) {
            exit = 0;
        } finally {
            Runtime.getRuntime().halt(exit);
        }
    }

    private static Map<Language, Engine> warmEngines(WorkWatch watch) {
        JavaScriptEngine javaScript = new JavaScriptEngine(watch);
        Map<Language, Engine> engines = new EnumMap<>(Language.class);
        engines.put(Language.JAVASCRIPT, javaScript::evaluate);
        engines.put(Language.JAVASCRIPT_SYNTAX, javaScript::parse);
        engines.put(Language.JQ, new BoundedEngine(new JqEngine(), watch));
        engines.put(Language.JSON_PATH, new BoundedEngine(new PathEngine(), watch));
        engines.put(Language.GO_TEMPLATE, new BoundedEngine(new GoEngine(), watch));
        javaScript.warmUp();
        engines.get(Language.JQ).evaluate(List.of(".", "1"), NO_VALUES);
        engines.get(Language.JSON_PATH).evaluate(List.of("$..a", "{\"a\":1}"), NO_VALUES);
        engines.get(Language.GO_TEMPLATE).evaluate(List.of("{{len \"a\"}}"), NO_VALUES);
        return engines;
    }

    /**
     * Ends the process when its parent ends. An evaluation that cannot be interrupted would not notice the end of
     * standard input.
     */
    private static void endWithParent() {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Thread.ofPlatform().name("parent-watch").daemon().start(() -> {
            try {
                while (ProcessHandle.current().parent().equals(parent)) {
                    TimeUnit.SECONDS.sleep(PARENT_LOOK_SECONDS);
                }
                Runtime.getRuntime().halt(0);
            } catch (InterruptedException never) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
