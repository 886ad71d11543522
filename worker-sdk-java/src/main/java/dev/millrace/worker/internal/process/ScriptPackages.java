package dev.millrace.worker.internal.process;

import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.internal.language.Bun;
import dev.millrace.worker.internal.packages.ImportHosts;
import dev.millrace.worker.internal.packages.Installers;
import dev.millrace.worker.internal.packages.JavaScriptPackages;
import dev.millrace.worker.internal.packages.JavaScriptSources;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.packages.PackageException;
import dev.millrace.worker.internal.packages.PythonPackages;
import dev.millrace.worker.internal.packages.PythonSources;
import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.internal.python.InstalledPythons;
import dev.millrace.worker.internal.python.NoPythonException;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the packages of scripts available before their processes start. Blocking and thread-safe. */
final class ScriptPackages {
    private static final Logger logger = LoggerFactory.getLogger(ScriptPackages.class);

    private final ProcessHostOptions options;
    private final ProcessCommands commands;
    private final InstalledPythons pythons;
    /** Empty if no packages are installed. */
    private final Optional<Path> folder;
    /** By the program of the interpreter. */
    private final Map<String, PythonPackages> python = new ConcurrentHashMap<>();

    /** By the name of the runtime: Deno, and Bun. */
    private final Map<String, JavaScriptPackages> javaScript;

    private ScriptPackages(
            ProcessHostOptions options,
            ProcessCommands commands,
            Optional<Path> folder,
            Map<String, JavaScriptPackages> javaScript) {
        this.options = options;
        this.commands = commands;
        this.folder = folder;
        this.javaScript = javaScript;
        this.pythons = new InstalledPythons(
                options.python(), options.otherPythons(), System.getenv(), commands.ofOwnProgram(), Executables::find);
    }

    /** @param commands for the programs that install packages, and for what Deno imports */
    static ScriptPackages in(ProcessHostOptions options, ProcessCommands commands) throws IOException {
        if (options.packages() == PythonPackageChoice.NONE) {
            return new ScriptPackages(options, commands, Optional.empty(), Map.of());
        }
        Path folder = PrivateFiles.folder(options.folder().resolve("packages")).toAbsolutePath();
        ScriptPackages packages =
                new ScriptPackages(options, commands, Optional.of(folder), javaScript(options, folder, commands));
        packages.ofPython(Optional.empty())
                .ifPresent(own -> Threads.daemon("millrace-python-packages", () -> warmUp(own))
                        .start());
        return packages;
    }

    /** The packages for an interpreter; empty if none are installed, or if the worker has no Python of its own. */
    private Optional<PythonPackages> ofPython(Optional<InstalledPython> interpreter) throws IOException {
        Optional<Path> program = interpreter.map(InstalledPython::program).or(() -> Executables.find(options.python()));
        if (folder.isEmpty() || program.isEmpty()) {
            return Optional.empty();
        }
        PythonPackages known = python.get(program.get().toString());
        if (known == null) {
            PythonPackages opened = PythonPackages.in(
                    folder.get(),
                    program.get(),
                    interpreter.map(InstalledPython::folders).orElse(List.of()),
                    options.packageBytesMax(),
                    options.packages() == PythonPackageChoice.INFERRED,
                    installers(options, commands),
                    Executables::find);
            PythonPackages first = python.putIfAbsent(program.get().toString(), opened);
            known = first == null ? opened : first;
        }
        return Optional.of(known);
    }

    /** How the worker's own programs run that reach the network. */
    static Installers installers(ProcessHostOptions options, ProcessCommands commands) {
        return Installers.of(
                System.getenv(),
                commands.ofOwnProgram(),
                options.packageSources().packageHosts(),
                commands.own().installers());
    }

    private static Map<String, JavaScriptPackages> javaScript(
            ProcessHostOptions options, Path folder, ProcessCommands commands) throws IOException {
        var place = new JavaScriptPackages.Place(
                folder,
                commands.folders().deno().toAbsolutePath(),
                options.packageBytesMax(),
                installers(options, commands));
        Map<String, JavaScriptPackages> packages = new HashMap<>();
        Optional<Path> deno = Executables.find(options.deno());
        if (deno.isPresent()) {
            packages.put(ScriptRuntime.DENO.name(), JavaScriptPackages.forDeno(place, deno.get()));
        }
        for (ScriptLanguage language : options.languages()) {
            if (language instanceof Bun bun && bun.program().isPresent()) {
                packages.put(
                        bun.name(),
                        JavaScriptPackages.forBun(place, bun.program().get()));
            }
        }
        packages.values().stream()
                .findFirst()
                .ifPresent(any -> Threads.daemon("millrace-javascript-packages", any::tidyUp)
                        .start());
        return packages;
    }

    /** Lets the scheduler be asked again which versions count for a script. */
    void forget(ScriptKey key, Script script) {
        try {
            if (script.runtime() == ScriptRuntime.PYTHON) {
                Optional<PythonPackages> own = ofPython(interpreter(script));
                if (own.isPresent()) {
                    own.get().forget(version(key));
                }
                return;
            }
            JavaScriptPackages packages = javaScript.get(script.runtime().name());
            if (packages != null) {
                packages.forget(version(key));
            }
        } catch (IOException e) {
            logger.atWarn()
                    .setCause(e)
                    .log("The versions of packages that this machine knows for a script stay as they are.");
        }
    }

    /** The interpreter that a Python script asks for; empty for the worker's own. */
    private Optional<InstalledPython> interpreter(Script script) {
        try {
            return pythons.choose(script.annotation().python());
        } catch (NoPythonException e) {
            // Another worker may have it.
            throw new LoadException(String.valueOf(e.getMessage()), true);
        }
    }

    /** The script with the interpreter that it asks for. */
    Script withInterpreter(Script script) {
        return script.runtime() == ScriptRuntime.PYTHON ? script.with(interpreter(script)) : script;
    }

    private static String version(ScriptKey key) {
        return FolderName.of(key.workspace()) + "-" + key.hash();
    }

    private static void warmUp(PythonPackages packages) {
        try {
            packages.warmUp();
        } catch (IOException e) {
            logger.debug("The packages of this machine could not be looked at; the first job will do so.", e);
        }
    }

    /**
     * Returns the script with its interpreter and the folders of its packages.
     *
     * @param progress takes lines for the log of the job that waits
     */
    Script prepare(ScriptKey key, Script script, LockKeeper locks, Consumer<String> progress) {
        try {
            if (script.runtime() == ScriptRuntime.PYTHON) {
                return preparePython(key, script.with(interpreter(script)), locks, progress);
            }
            JavaScriptPackages packages = javaScript.get(script.runtime().name());
            return packages == null
                    ? script
                    : script.with(packages.prepare(version(key), sources(script), locks, progress));
        } catch (PackageException e) {
            throw new LoadException(String.valueOf(e.getMessage()), e.isPassing());
        } catch (IOException e) {
            throw new LoadException(
                    "The worker cannot keep the packages of the script: " + e
                            + ". If its disk is full, free space, or lower millrace.worker.package-bytes-max.",
                    true);
        }
    }

    /**
     * Checks the types of a script in TypeScript, unless it says that they are not to be checked.
     *
     * @throws LoadException if there are errors; the message has them as the author of the script knows its files
     */
    void checkTypes(ScriptKey key, Script script) {
        if (script.runtime() == ScriptRuntime.DENO && script.annotation().checked() && DenoCheck.isFor(script)) {
            List<Path> readable = new ArrayList<>(script.packages().folders());
            readable.add(script.folder());
            readable.add(commands.deno().runtime());
            List<String> beginning = new ArrayList<>(commands.ofOwnProgram());
            beginning.addAll(commands.own()
                    .offline(
                            script.folder(),
                            readable,
                            List.of(commands.folders().denoOf(key.scope()))));
            commands.deno().check(key, script, beginning).run();
        }
    }

    private Script preparePython(ScriptKey key, Script script, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        Optional<PythonPackages> packages = ofPython(script.python());
        return packages.isEmpty()
                ? script
                : script.with(packages.get()
                        .prepare(version(key), PythonSources.of(script.file(), script.tree()), locks, progress));
    }

    private JavaScriptSources sources(Script script) {
        boolean isDeno = script.runtime() == ScriptRuntime.DENO;
        return new JavaScriptSources(
                script.file(),
                script.folder(),
                isDeno ? commands.deno().importMap(script) : "",
                isDeno ? Optional.of(commands.deno().runtime()) : Optional.empty(),
                isDeno ? commands.deno().installedImports(script) : new ImportHosts(List.of()));
    }
}
