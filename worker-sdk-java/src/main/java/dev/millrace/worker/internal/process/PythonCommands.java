package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.internal.runtime.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Command lines of Python. An interpreter that a script asks for is given; without one, it is the worker's own.
 */
final class PythonCommands {
    private static final Logger logger = LoggerFactory.getLogger(PythonCommands.class);

    /** Longest wait for background preparations when the worker stops. */
    private static final long PREPARING_MILLIS_MAX = 5_000;

    private final String own;
    private final RuntimeCopies runtimes;
    private final CommandPrefixes prefixes;
    private volatile @Nullable Thread preparing;

    /** @param own name or path of the worker's own interpreter */
    PythonCommands(String own, RuntimeCopies runtimes, CommandPrefixes prefixes) {
        this.own = own;
        this.runtimes = runtimes;
        this.prefixes = prefixes;
    }

    /** Runs a script. */
    List<String> script(Script script, List<String> sandbox) {
        return loop(script.python(), sandbox, script.file().toString());
    }

    /** Becomes the template of processes; its arguments are still to be added. */
    List<String> template(Optional<InstalledPython> interpreter) {
        return loop(interpreter, List.of(), "--template");
    }

    private List<String> loop(Optional<InstalledPython> interpreter, List<String> sandbox, String argument) {
        List<String> command = new ArrayList<>(prefixes.endWithWorker());
        command.addAll(sandbox);
        command.add(program(interpreter));
        command.add(runtime(interpreter).resolve("millrace/__main__.py").toString());
        command.add(argument);
        return command;
    }

    /** Beginning of a program of our own: the interpreter, and what runs a module of the runtime. */
    List<String> module(Optional<InstalledPython> interpreter, String code) {
        return List.of(
                program(interpreter),
                "-I",
                "-S",
                "-c",
                "import sys; sys.path.insert(0, sys.argv.pop(1)); " + code,
                runtime(interpreter).toString());
    }

    /** The folder of the runtime for an interpreter. */
    Path runtime(Optional<InstalledPython> interpreter) {
        return runtimes.python(interpreter, program(interpreter));
    }

    /**
     * Prepares the runtime of the worker's own interpreter on a thread of its own, which takes some 100 ms.
     *
     * @param prepared runs on that thread when the runtime is there
     */
    void prepare(Runnable prepared) {
        if (Executables.find(own).isPresent()) {
            preparing = Threads.daemon("millrace-runtime-compiler", () -> {
                if (prepareOwn()) {
                    prepared.run();
                }
            });
            preparing.start();
        }
    }

    private boolean prepareOwn() {
        try {
            runtime(Optional.empty());
            return true;
        } catch (LoadException e) {
            logger.debug("The Python runtime could not be prepared; the first job will say so.", e);
            return false;
        }
    }

    /** Waits a limited time until no background preparation writes files. */
    void close() {
        Thread thread = preparing;
        try {
            if (thread != null) {
                thread.join(PREPARING_MILLIS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String program(Optional<InstalledPython> interpreter) {
        return Executables.require(
                interpreter.map(python -> python.program().toString()).orElse(own),
                ScriptRuntime.PYTHON,
                "Python 3.10 or newer",
                "MILLRACE_PYTHON");
    }
}
