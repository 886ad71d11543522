package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.PackageSources;
import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.ScriptSandbox;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.language.ScriptLanguage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Options of the process host.
 *
 * @param folder folder for scripts, runtimes and the processes' private folders
 * @param processesMax largest number of processes, including idle ones
 * @param grace time from the request to stop a job until its process is killed
 * @param graceMax longest such time that a script may ask for, unless {@code grace} is longer
 * @param python name or path of the Python interpreter
 * @param otherPythons names or paths of further Python interpreters; if empty, they are looked for
 * @param deno name or path of Deno
 * @param denoPermissions what scripts for Deno may ask for
 * @param passedEnvironment names of variables that processes get from the worker's own environment
 * @param packages which packages are installed for Python scripts
 * @param packageBytesMax size of all installed packages above which those that no process uses are removed
 * @param packageSources where packages and modules come from
 * @param sandbox whether processes run in a sandbox
 * @param controlGroups whether processes get control groups
 * @param spareProcess whether processes wait for the next script
 * @param jobLimits what each job may use at most
 * @param languages further languages, each of which this machine can run
 */
public record ProcessHostOptions(
        Path folder,
        int processesMax,
        Duration grace,
        Duration graceMax,
        String python,
        List<String> otherPythons,
        String deno,
        Permissions denoPermissions,
        List<String> passedEnvironment,
        PythonPackageChoice packages,
        long packageBytesMax,
        PackageSources packageSources,
        ScriptSandbox sandbox,
        ControlGroupChoice controlGroups,
        boolean spareProcess,
        JobLimits jobLimits,
        List<ScriptLanguage> languages) {
    public ProcessHostOptions {
        requireNonNull(folder, "folder");
        requireNonNull(grace, "grace");
        requireNonNull(graceMax, "graceMax");
        requireNonNull(python, "python");
        requireNonNull(denoPermissions, "denoPermissions");
        otherPythons = List.copyOf(otherPythons);
        requireNonNull(deno, "deno");
        requireNonNull(packages, "packages");
        requireNonNull(packageSources, "packageSources");
        requireNonNull(sandbox, "sandbox");
        requireNonNull(controlGroups, "controlGroups");
        requireNonNull(jobLimits, "jobLimits");
        languages = List.copyOf(languages);
        passedEnvironment = List.copyOf(passedEnvironment);
        if (processesMax < 1) {
            throw new IllegalArgumentException("processes_max: " + processesMax + " (expected: >= 1)");
        }
    }

    /** Parent of the folders that jobs share. */
    public Path sharedFolders() {
        return folder.resolve("shared").toAbsolutePath();
    }
}
