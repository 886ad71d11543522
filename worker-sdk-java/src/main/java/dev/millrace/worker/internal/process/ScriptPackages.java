package dev.millrace.worker.internal.process;

import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.packages.PackageException;
import dev.millrace.worker.internal.packages.PythonPackages;
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

    static ScriptPackages in(ProcessHostOptions options) throws IOException {
        Optional<Path> python = Executables.find(options.python());
        if (python.isEmpty() || options.packages() == PythonPackageChoice.NONE) {
            return new ScriptPackages(Optional.empty());
        }
        Path folder = PrivateFiles.folder(options.folder().resolve("packages")).toAbsolutePath();
        PythonPackages packages = PythonPackages.in(
                folder,
                python.get(),
                options.packages() == PythonPackageChoice.INFERRED,
                System.getenv(),
                Executables::find);
        Threads.daemon("millrace-python-modules", () -> warmUp(packages)).start();
        return new ScriptPackages(Optional.of(packages));
    }

    private static void warmUp(PythonPackages packages) {
        try {
            packages.warmUp();
        } catch (IOException e) {
            logger.debug("The interpreter did not say what it has; the first job will ask again.", e);
        }
    }

    /**
     * Returns the script with the folders of its packages.
     *
     * @param progress takes lines for the log of the job that waits
     */
    Script prepare(ScriptKey key, Script script, LockKeeper locks, Consumer<String> progress) throws IOException {
        if (script.runtime() != ScriptRuntime.PYTHON || python.isEmpty()) {
            return script;
        }
        try {
            String version = FolderName.of(key.workspace()) + "-" + key.hash();
            List<Path> packages = python.get().prepare(version, script.file(), locks, progress);
            return new Script(script.file(), script.runtime(), packages);
        } catch (PackageException e) {
            throw new LoadException(String.valueOf(e.getMessage()), e.isPassing());
        }
    }
}
