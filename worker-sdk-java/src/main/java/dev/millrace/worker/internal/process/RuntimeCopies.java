package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The copies of the runtimes on this machine: one for each interpreter of Python, one for Deno, one for each further language
 * that brings files, and the commands. Each method returns the folder of a copy whose files are as the worker wrote them.
 * Blocking and thread-safe.
 */
final class RuntimeCopies {
    /** Keeps the names of languages apart from those of our own copies. */
    private static final String OF_LANGUAGE = "language-";

    private final Path folder;
    private final RuntimeFiles commands;
    /** By the name of the copy. */
    private final Map<String, RuntimeFiles> copies = new ConcurrentHashMap<>();

    /** @param folder parent of the copies */
    RuntimeCopies(Path folder) throws IOException {
        this.folder = folder;
        this.commands = RuntimeFiles.ofCommands(folder);
    }

    /** The copy for Deno. */
    Path deno() {
        return restored(
                        ScriptRuntime.DENO,
                        ScriptRuntime.DENO.name(),
                        () -> new RuntimeFiles(ScriptRuntime.DENO, folder, ScriptRuntime.DENO.name()))
                .orElseThrow();
    }

    /**
     * The copy for an interpreter of Python, which compiles it first.
     *
     * @param interpreter empty for the worker's own
     * @param program its path
     */
    Path python(Optional<InstalledPython> interpreter, String program) {
        String copy = interpreter.map(InstalledPython::name).orElse(ScriptRuntime.PYTHON.name());
        return restored(ScriptRuntime.PYTHON, copy, () -> {
                    RuntimeFiles files = new RuntimeFiles(ScriptRuntime.PYTHON, folder, copy);
                    files.compile(program);
                    return files;
                })
                .orElseThrow();
    }

    /** The files that a language brings itself; empty if it brings none. */
    Optional<Path> of(ScriptLanguage language, ScriptRuntime runtime) {
        return restored(
                runtime,
                OF_LANGUAGE + language.name(),
                () -> RuntimeFiles.of(language, folder, OF_LANGUAGE + language.name()));
    }

    /** The commands for processes that speak no protocol. */
    Path commands(ScriptRuntime runtime) {
        try {
            return commands.restore();
        } catch (IOException e) {
            throw cannotWrite(runtime, e);
        }
    }

    private interface Making {
        RuntimeFiles make() throws IOException, InterruptedException;
    }

    private Optional<Path> restored(ScriptRuntime runtime, String copy, Making making) {
        try {
            RuntimeFiles files = copies.computeIfAbsent(copy, unused -> make(runtime, making));
            return files.isEmpty() ? Optional.empty() : Optional.of(files.restore());
        } catch (IOException e) {
            throw cannotWrite(runtime, e);
        }
    }

    private static RuntimeFiles make(ScriptRuntime runtime, Making making) {
        try {
            return making.make();
        } catch (UncheckedIOException e) {
            throw cannotWrite(runtime, requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw cannotWrite(runtime, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerFault("The worker is stopping.", runtime);
        }
    }

    private static WorkerFault cannotWrite(ScriptRuntime runtime, IOException failure) {
        return new WorkerFault("The worker cannot write its own runtime files: " + failure + ".", runtime);
    }
}
