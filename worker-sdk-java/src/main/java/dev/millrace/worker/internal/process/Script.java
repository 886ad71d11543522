package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.limit.ScriptAnnotation;
import dev.millrace.worker.internal.packages.PreparedPackages;
import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.language.ScriptVersion;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A script on this machine.
 *
 * @param file its source
 * @param tree folder with all files of the script; empty if it has no further ones
 * @param packages what it imports besides the packages of its interpreter
 * @param annotation what it says about its jobs
 * @param prepared folder with what its language made of it; empty if that prepares nothing
 * @param python the interpreter that it asks for; empty for the worker's own
 */
record Script(
        Path file,
        ScriptRuntime runtime,
        Optional<Path> tree,
        PreparedPackages packages,
        ScriptAnnotation annotation,
        Optional<Path> prepared,
        Optional<InstalledPython> python) {
    /** A script without packages. */
    Script(Path file, ScriptRuntime runtime, Optional<Path> tree, ScriptAnnotation annotation) {
        this(file, runtime, tree, PreparedPackages.NONE, annotation, Optional.empty(), Optional.empty());
    }

    /** The script with at most what a worker allows its jobs. */
    Script within(JobLimits allowed) {
        return new Script(
                file,
                runtime,
                tree,
                packages,
                annotation.withLimits(annotation.limits().lowest(allowed)),
                prepared,
                python);
    }

    JobLimits limits() {
        return annotation.limits();
    }

    /** A script of a single file, without packages and annotations. */
    Script(Path file, ScriptRuntime runtime) {
        this(file, runtime, Optional.empty(), ScriptAnnotation.NONE);
    }

    Script with(PreparedPackages prepared) {
        return new Script(file, runtime, tree, prepared, annotation, this.prepared, python);
    }

    /** The script with the interpreter that it asks for; empty for the worker's own. */
    Script with(Optional<InstalledPython> interpreter) {
        return new Script(file, runtime, tree, packages, annotation, prepared, interpreter);
    }

    /** The script with what its language made of it. */
    Script preparedIn(Path place) {
        return new Script(file, runtime, tree, packages, annotation, Optional.of(place), python);
    }

    /** The script as its language sees it. */
    ScriptVersion version() {
        return version(Optional.empty());
    }

    /**
     * The script as its language sees it.
     *
     * @param files folder with the language's own files; empty if it has none
     */
    ScriptVersion version(Optional<Path> files) {
        return new ScriptVersion(file, folder(), prepared, packages.folders(), files);
    }

    /** The folder that holds only the script and its files. */
    Path folder() {
        return tree.orElseGet(() -> requireNonNull(file.getParent(), "folder of the script"));
    }
}
