package dev.millrace.worker.internal.process;

import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.packages.PackageException;
import dev.millrace.worker.internal.packages.PythonPackages;
import dev.millrace.worker.internal.packages.PythonSources;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the packages of scripts available before their processes start. Blocking and thread-safe. */
final class ScriptPackages {
    private static final Logger logger = LoggerFactory.getLogger(ScriptPackages.class);

    private final Optional<PythonPackages> python;

    private ScriptPackages(Optional<PythonPackages> python) {
        this.python = python;
    }

    /** @param beginning of the command lines that install packages */
    static ScriptPackages in(ProcessHostOptions options, List<String> beginning) throws IOException {
        Optional<Path> python = Executables.find(options.python());
        if (python.isEmpty() || options.packages() == PythonPackageChoice.NONE) {
            return new ScriptPackages(Optional.empty());
        }
        Path folder = PrivateFiles.folder(options.folder().resolve("packages")).toAbsolutePath();
        PythonPackages packages = PythonPackages.in(
                folder,
                python.get(),
                options.packageBytesMax(),
                options.packages() == PythonPackageChoice.INFERRED,
                System.getenv(),
                beginning,
                Executables::find);
        Threads.daemon("millrace-python-packages", () -> warmUp(packages)).start();
        return new ScriptPackages(Optional.of(packages));
    }

    /** Lets the scheduler be asked again which versions count for a script. */
    void forget(ScriptKey key) {
        try {
            if (python.isPresent()) {
                python.get().forget(version(key));
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
        if (script.runtime() != ScriptRuntime.PYTHON || python.isEmpty()) {
            return script;
        }
        try {
            PythonSources sources = PythonSources.of(script.file(), script.tree());
            return script.with(python.get().prepare(version(key), sources, locks, progress));
        } catch (PackageException e) {
            throw new LoadException(String.valueOf(e.getMessage()), e.isPassing());
        } catch (IOException e) {
            throw new LoadException(
                    "The worker cannot keep the packages of the script: " + e
                            + ". If its disk is full, free space, or lower millrace.worker.package-bytes-max.",
                    true);
        }
    }
}
