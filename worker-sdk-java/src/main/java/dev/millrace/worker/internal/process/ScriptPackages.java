package dev.millrace.worker.internal.process;

import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.internal.packages.DenoPackages;
import dev.millrace.worker.internal.packages.DenoSources;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.packages.PackageException;
import dev.millrace.worker.internal.packages.PythonPackages;
import dev.millrace.worker.internal.packages.PythonSources;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the packages of scripts available before their processes start. Blocking and thread-safe. */
final class ScriptPackages {
    private static final Logger logger = LoggerFactory.getLogger(ScriptPackages.class);

    private final ProcessCommands commands;
    private final Optional<PythonPackages> python;
    private final Optional<DenoPackages> deno;

    private ScriptPackages(ProcessCommands commands, Optional<PythonPackages> python, Optional<DenoPackages> deno) {
        this.commands = commands;
        this.python = python;
        this.deno = deno;
    }

    /** @param commands for the programs that install packages, and for what Deno imports */
    static ScriptPackages in(ProcessHostOptions options, ProcessCommands commands) throws IOException {
        if (options.packages() == PythonPackageChoice.NONE) {
            return new ScriptPackages(commands, Optional.empty(), Optional.empty());
        }
        Path folder = PrivateFiles.folder(options.folder().resolve("packages")).toAbsolutePath();
        return new ScriptPackages(commands, python(options, folder, commands), deno(options, folder, commands));
    }

    private static Optional<PythonPackages> python(ProcessHostOptions options, Path folder, ProcessCommands commands)
            throws IOException {
        Optional<Path> python = Executables.find(options.python());
        if (python.isEmpty()) {
            return Optional.empty();
        }
        PythonPackages packages = PythonPackages.in(
                folder,
                python.get(),
                options.packageBytesMax(),
                options.packages() == PythonPackageChoice.INFERRED,
                System.getenv(),
                commands.ofOwnProgram(),
                Executables::find);
        Threads.daemon("millrace-python-packages", () -> warmUp(packages)).start();
        return Optional.of(packages);
    }

    private static Optional<DenoPackages> deno(ProcessHostOptions options, Path folder, ProcessCommands commands)
            throws IOException {
        Optional<Path> deno = Executables.find(options.deno());
        if (deno.isEmpty()) {
            return Optional.empty();
        }
        DenoPackages packages = DenoPackages.in(
                folder, deno.get(), options.packageBytesMax(), System.getenv(), commands.ofOwnProgram());
        Threads.daemon("millrace-deno-packages", packages::tidyUp).start();
        return Optional.of(packages);
    }

    /** Lets the scheduler be asked again which versions count for a script. */
    void forget(ScriptKey key) {
        try {
            if (python.isPresent()) {
                python.get().forget(version(key));
            }
            if (deno.isPresent()) {
                deno.get().forget(version(key));
            }
        } catch (IOException e) {
            logger.atWarn()
                    .setCause(e)
                    .log("The versions of packages that this machine knows for a script stay as they are.");
        }
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
     * Returns the script with the folders of its packages.
     *
     * @param progress takes lines for the log of the job that waits
     */
    Script prepare(ScriptKey key, Script script, LockKeeper locks, Consumer<String> progress) {
        try {
            if (script.runtime() == ScriptRuntime.PYTHON && python.isPresent()) {
                PythonSources sources = PythonSources.of(script.file(), script.tree());
                return script.with(python.get().prepare(version(key), sources, locks, progress));
            }
            if (script.runtime() == ScriptRuntime.DENO && deno.isPresent()) {
                return script.with(deno.get().prepare(version(key), sources(script), locks, progress));
            }
            return script;
        } catch (PackageException e) {
            throw new LoadException(String.valueOf(e.getMessage()), e.isPassing());
        } catch (IOException e) {
            throw new LoadException(
                    "The worker cannot keep the packages of the script: " + e
                            + ". If its disk is full, free space, or lower millrace.worker.package-bytes-max.",
                    true);
        }
    }

    private DenoSources sources(Script script) {
        return new DenoSources(script.file(), script.folder(), commands.denoImportMap(script));
    }
}
