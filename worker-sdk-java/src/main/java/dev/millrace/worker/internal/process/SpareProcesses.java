package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.runtime.JobScope;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The processes that wait for the next script, at most one for each runtime whose processes can wait. Thread-safe.
 */
final class SpareProcesses {
    private final ProcessLauncher launcher;
    private final ProcessCommands commands;
    private final ProcessHostOptions options;
    private final PoolLock lock;
    private final ProcessBudget budget;
    /** By the name of the runtime. */
    private final Map<String, SpareProcess> spares = new ConcurrentHashMap<>();

    SpareProcesses(
            ProcessLauncher launcher,
            ProcessCommands commands,
            ProcessHostOptions options,
            PoolLock lock,
            ProcessBudget budget) {
        this.launcher = launcher;
        this.commands = commands;
        this.options = options;
        this.lock = lock;
        this.budget = budget;
    }

    /** Lets a waiting process run this script; empty if there is none, or if the script needs another one. */
    Optional<ProcessLauncher.Started> take(ScriptKey key, Script script) {
        SpareProcess spare = spares.get(script.runtime().name());
        return spare == null ? Optional.empty() : spare.take(key, script);
    }

    /** Starts a spare of this runtime for this scope, unless one waits. Blocks. */
    void renew(ScriptRuntime runtime, JobScope scope) {
        if (mayWait(runtime)) {
            spares.computeIfAbsent(runtime.name(), unused -> spare(runtime)).renew(scope);
        }
    }

    /** Ends the spare of a runtime, given by its name, so that its memory is free for others. */
    void dismiss(String runtime) {
        SpareProcess spare = spares.get(runtime);
        if (spare != null) {
            spare.dismiss();
        }
    }

    /** Whether processes of a runtime can wait for a script. A sandbox is made for one script. */
    boolean mayWait(ScriptRuntime runtime) {
        return options.spareProcess()
                && !commands.isSandboxed()
                && (runtime == ScriptRuntime.DENO ? mayGiveUpPermissions() : hasSpareCommand(runtime));
    }

    private boolean hasSpareCommand(ScriptRuntime runtime) {
        Path anywhere = options.folder();
        return !runtime.runsOnce()
                && runtime.language()
                        .flatMap(language -> language.spareCommand(anywhere))
                        .isPresent();
    }

    private SpareProcess spare(ScriptRuntime runtime) {
        return new SpareProcess(
                runtime,
                runtime == ScriptRuntime.DENO
                        ? SpareProcesses::fitsDeno
                        : script -> script.prepared().isEmpty(),
                launcher,
                commands,
                options,
                lock,
                budget);
    }

    /** Whether Deno runs this script with the import map and the permissions that every script has. */
    private static boolean fitsDeno(Script script) {
        return DenoImportMap.isCommon(script)
                && script.annotation().permissions().equals(Permissions.NONE);
    }

    /**
     * Whether a process of Deno can give up what it has more than its script: permissions for everything, or for a folder
     * around those of the scripts, would go with those for the scripts.
     */
    private boolean mayGiveUpPermissions() {
        Path folder = options.folder().toAbsolutePath();
        return Stream.of(Permission.READ, Permission.WRITE)
                .map(options.denoPermissions().values()::get)
                .noneMatch(limits -> limits != null
                        && (limits.isEmpty() || limits.stream().map(Path::of).anyMatch(folder::startsWith)));
    }
}
