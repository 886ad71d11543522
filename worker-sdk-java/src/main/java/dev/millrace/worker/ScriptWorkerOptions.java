package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.connection.MachineName;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ScriptLanguage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Options of a {@link ScriptWorker}. Begin with {@link #of} and change what differs.
 *
 * @param target address of the scheduler, for example {@code localhost:8401}
 * @param name name of the worker, for people
 * @param labels free labels, for people
 * @param slots groups of slots for jobs
 * @param processesMax largest number of processes, including idle ones
 * @param grace time from the request to stop a job until its process is killed
 * @param graceMax longest such time that a script may ask for, unless {@code grace} is longer
 * @param stopTimeout time that {@link ScriptWorker#close} gives running jobs to end
 * @param folder folder for scripts, runtimes and the processes' private folders; workers may share it
 * @param python name or path of the Python interpreter; if empty, {@code MILLRACE_PYTHON}, then the usual command
 * @param otherPythons names or paths of Python interpreters for scripts that want another version; if empty, they are
 *     looked for on the PATH and in the folder of pyenv
 * @param deno name or path of Deno; if empty, {@code MILLRACE_DENO}, then the one below {@code MILLRACE_HOME}, then the
 *     usual command
 * @param denoPermissions what scripts for Deno may ask for at most, in words such as {@code allow-net allow-read=/data}
 * @param passedEnvironment names of variables that processes get from the worker's own environment
 * @param packages which packages it installs for Python scripts
 * @param packageBytesMax size of all installed packages above which those that no process uses are removed
 * @param packageSources where packages and modules come from
 * @param sandbox whether processes of scripts run in a sandbox
 * @param controlGroups whether processes of scripts get control groups of the system
 * @param spareProcess whether processes of Deno and Bun that have loaded the runtime wait for the next script
 * @param jobLimits what each job of a script may use at most
 * @param dedicated scripts and flows for which processes are kept ready; the worker takes no jobs before they are
 * @param languages languages beside Python and TypeScript; by default those on the class path
 * @param embedded languages whose scripts the worker runs itself; by default those on the class path
 * @param handlers Java handlers that run beside scripts
 * @param access token and TLS of the connection
 */
public record ScriptWorkerOptions(
        String target,
        String name,
        Map<String, String> labels,
        List<ScriptSlots> slots,
        int processesMax,
        Duration grace,
        Duration graceMax,
        Duration stopTimeout,
        Path folder,
        Optional<String> python,
        List<String> otherPythons,
        Optional<String> deno,
        String denoPermissions,
        List<String> passedEnvironment,
        PythonPackageChoice packages,
        long packageBytesMax,
        PackageSources packageSources,
        ScriptSandbox sandbox,
        ControlGroupChoice controlGroups,
        boolean spareProcess,
        JobLimits jobLimits,
        List<DedicatedTarget> dedicated,
        List<ScriptLanguage> languages,
        List<EmbeddedLanguage> embedded,
        HandlerSlots handlers,
        SchedulerAccess access) {
    private static final int PREFETCH_PER_SLOT = 4;
    private static final Duration GRACE_MAX_DEFAULT = Duration.ofSeconds(30);
    private static final long PACKAGE_BYTES_MAX_DEFAULT = 10L << 30;

    public ScriptWorkerOptions {
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        labels = Map.copyOf(labels);
        slots = List.copyOf(slots);
        requireNonNull(grace, "grace");
        requireNonNull(graceMax, "graceMax");
        requireNonNull(stopTimeout, "stopTimeout");
        requireNonNull(folder, "folder");
        requireNonNull(python, "python");
        otherPythons = List.copyOf(otherPythons);
        requireNonNull(deno, "deno");
        requirePermissions(denoPermissions);
        passedEnvironment = List.copyOf(passedEnvironment);
        requireNonNull(packages, "packages");
        requireNonNull(packageSources, "packageSources");
        requireNonNull(sandbox, "sandbox");
        requireNonNull(controlGroups, "controlGroups");
        requireNonNull(jobLimits, "jobLimits");
        requireNonNull(handlers, "handlers");
        requireNonNull(access, "access");
        dedicated = List.copyOf(dedicated);
        if (dedicated.size() > DedicatedTarget.TARGETS_MAX) {
            throw new IllegalArgumentException("dedicated: " + dedicated.size() + " targets (expected: at most "
                    + DedicatedTarget.TARGETS_MAX + ")");
        }
        languages = List.copyOf(languages);
        embedded = List.copyOf(embedded);
        LanguageNames.check(languages, embedded);
        if (packageBytesMax < 0) {
            throw new IllegalArgumentException("package_bytes_max: " + packageBytesMax + " (expected: >= 0)");
        }
        if (processesMax < 1) {
            throw new IllegalArgumentException("processes_max: " + processesMax + " (expected: >= 1)");
        }
    }

    private static void requirePermissions(String text) {
        try {
            Permissions.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "deno_permissions: " + e.getMessage() + " (expected: " + Permissions.EXAMPLES + ")", e);
        }
    }

    /** Returns defaults: one slot per processor for Python, for Deno and for all other languages with processes, and four times as many warm processes. */
    public static ScriptWorkerOptions of(String target) {
        int processors = Runtime.getRuntime().availableProcessors();
        int prefetch = PREFETCH_PER_SLOT * processors;
        List<ScriptLanguage> languages = ServiceLoader.load(ScriptLanguage.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        List<EmbeddedLanguage> embedded = ServiceLoader.load(EmbeddedLanguage.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return new ScriptWorkerOptions(
                target,
                MachineName.find(),
                Map.of(),
                List.of(
                        ScriptSlots.of("python", processors, prefetch),
                        ScriptSlots.of("deno", processors, prefetch),
                        ScriptSlots.ofLanguages(languages, processors, prefetch),
                        ScriptSlots.ofEmbedded(embedded)),
                Math.max(8, 4 * processors),
                Duration.ofSeconds(2),
                GRACE_MAX_DEFAULT,
                Duration.ofSeconds(30),
                Path.of(".millrace", "worker"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Permissions.DEFAULT.toString(),
                List.of(),
                PythonPackageChoice.INFERRED,
                PACKAGE_BYTES_MAX_DEFAULT,
                PackageSources.DEFAULT,
                ScriptSandbox.NONE,
                ControlGroupChoice.NONE,
                true,
                JobLimits.DEFAULTS,
                List.of(),
                languages,
                embedded,
                HandlerSlots.NONE,
                SchedulerAccess.LOCAL);
    }

    public ScriptWorkerOptions withName(String value) {
        return copy(draft -> draft.name = value);
    }

    public ScriptWorkerOptions withLabels(Map<String, String> value) {
        return copy(draft -> draft.labels = value);
    }

    public ScriptWorkerOptions withSlots(List<ScriptSlots> value) {
        return copy(draft -> draft.slots = value);
    }

    public ScriptWorkerOptions withProcessesMax(int value) {
        return copy(draft -> draft.processesMax = value);
    }

    public ScriptWorkerOptions withGrace(Duration value) {
        return copy(draft -> draft.grace = value);
    }

    public ScriptWorkerOptions withGraceMax(Duration value) {
        return copy(draft -> draft.graceMax = value);
    }

    public ScriptWorkerOptions withStopTimeout(Duration value) {
        return copy(draft -> draft.stopTimeout = value);
    }

    public ScriptWorkerOptions withFolder(Path value) {
        return copy(draft -> draft.folder = value);
    }

    public ScriptWorkerOptions withPython(String value) {
        return copy(draft -> draft.python = Optional.of(value));
    }

    public ScriptWorkerOptions withOtherPythons(List<String> value) {
        return copy(draft -> draft.otherPythons = value);
    }

    public ScriptWorkerOptions withDeno(String value) {
        return copy(draft -> draft.deno = Optional.of(value));
    }

    public ScriptWorkerOptions withDenoPermissions(String value) {
        return copy(draft -> draft.denoPermissions = value);
    }

    public ScriptWorkerOptions withPassedEnvironment(List<String> value) {
        return copy(draft -> draft.passedEnvironment = value);
    }

    public ScriptWorkerOptions withPackages(PythonPackageChoice value) {
        return copy(draft -> draft.packages = value);
    }

    public ScriptWorkerOptions withPackageBytesMax(long value) {
        return copy(draft -> draft.packageBytesMax = value);
    }

    public ScriptWorkerOptions withPackageSources(PackageSources value) {
        return copy(draft -> draft.packageSources = value);
    }

    public ScriptWorkerOptions withSandbox(ScriptSandbox value) {
        return copy(draft -> draft.sandbox = value);
    }

    public ScriptWorkerOptions withControlGroups(ControlGroupChoice value) {
        return copy(draft -> draft.controlGroups = value);
    }

    public ScriptWorkerOptions withSpareProcess(boolean value) {
        return copy(draft -> draft.spareProcess = value);
    }

    public ScriptWorkerOptions withJobLimits(JobLimits value) {
        return copy(draft -> draft.jobLimits = value);
    }

    public ScriptWorkerOptions withDedicated(List<DedicatedTarget> value) {
        return copy(draft -> draft.dedicated = value);
    }

    public ScriptWorkerOptions withLanguages(List<ScriptLanguage> value) {
        return copy(draft -> draft.languages = value);
    }

    public ScriptWorkerOptions withEmbedded(List<EmbeddedLanguage> value) {
        return copy(draft -> draft.embedded = value);
    }

    public ScriptWorkerOptions withHandlers(HandlerSlots value) {
        return copy(draft -> draft.handlers = value);
    }

    public ScriptWorkerOptions withAccess(SchedulerAccess value) {
        return copy(draft -> draft.access = value);
    }

    private ScriptWorkerOptions copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** Options while one of them changes. */
    private static final class Draft {
        final String target;
        String name;
        Map<String, String> labels;
        List<ScriptSlots> slots;
        int processesMax;
        Duration grace;
        Duration graceMax;
        Duration stopTimeout;
        Path folder;
        Optional<String> python;
        List<String> otherPythons;
        Optional<String> deno;
        String denoPermissions;
        List<String> passedEnvironment;
        PythonPackageChoice packages;
        long packageBytesMax;
        PackageSources packageSources;
        ScriptSandbox sandbox;
        ControlGroupChoice controlGroups;
        boolean spareProcess;
        JobLimits jobLimits;
        List<DedicatedTarget> dedicated;
        List<ScriptLanguage> languages;
        List<EmbeddedLanguage> embedded;
        HandlerSlots handlers;
        SchedulerAccess access;

        Draft(ScriptWorkerOptions options) {
            target = options.target;
            name = options.name;
            labels = options.labels;
            slots = options.slots;
            processesMax = options.processesMax;
            grace = options.grace;
            graceMax = options.graceMax;
            stopTimeout = options.stopTimeout;
            folder = options.folder;
            python = options.python;
            otherPythons = options.otherPythons;
            deno = options.deno;
            denoPermissions = options.denoPermissions;
            passedEnvironment = options.passedEnvironment;
            packages = options.packages;
            packageBytesMax = options.packageBytesMax;
            packageSources = options.packageSources;
            sandbox = options.sandbox;
            controlGroups = options.controlGroups;
            spareProcess = options.spareProcess;
            jobLimits = options.jobLimits;
            dedicated = options.dedicated;
            languages = options.languages;
            embedded = options.embedded;
            handlers = options.handlers;
            access = options.access;
        }

        ScriptWorkerOptions finish() {
            return new ScriptWorkerOptions(
                    target,
                    name,
                    labels,
                    slots,
                    processesMax,
                    grace,
                    graceMax,
                    stopTimeout,
                    folder,
                    python,
                    otherPythons,
                    deno,
                    denoPermissions,
                    passedEnvironment,
                    packages,
                    packageBytesMax,
                    packageSources,
                    sandbox,
                    controlGroups,
                    spareProcess,
                    jobLimits,
                    dedicated,
                    languages,
                    embedded,
                    handlers,
                    access);
        }
    }
}
