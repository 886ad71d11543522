package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one Deno process that has loaded the runtime and waits for a script. It belongs to the workspace whose script
 * started last, and takes only a script that has what every script has: one file, no packages, no further permissions,
 * and the limits of the worker. All other scripts start a process of their own.
 *
 * <p>It has a place in the budget of processes, which it gives up only when scripts need all
 * places at once. It only makes starts faster. A spare that ends is not replaced before the next process of a script is ready.
 * Thread-safe.
 */
final class DenoSpare {
    private static final Logger logger = LoggerFactory.getLogger(DenoSpare.class);

    private final ProcessLauncher launcher;
    private final ProcessCommands commands;
    private final PoolLock lock;
    private final Placement placement;
    private final Path folder;
    private final Path scripts;
    private final Permissions granted;
    private final JobLimits limits;
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    private record Waiting(String workspace, ProcessLauncher.Started started) {}

    DenoSpare(
            ProcessLauncher launcher,
            ProcessCommands commands,
            ProcessHostOptions options,
            PoolLock lock,
            Placement placement) {
        this.launcher = requireNonNull(launcher, "launcher");
        this.commands = requireNonNull(commands, "commands");
        this.lock = requireNonNull(lock, "lock");
        this.placement = requireNonNull(placement, "placement");
        this.folder = options.folder().toAbsolutePath();
        this.scripts = folder.resolve("scripts");
        this.granted = options.denoPermissions();
        this.limits = options.jobLimits();
    }

    /** Lets the waiting process run this script; empty if there is none, or if the script needs another one. */
    Optional<ProcessLauncher.Started> take(ScriptKey key, Script script) {
        Waiting spare = waiting.get();
        if (spare == null
                || !spare.workspace().equals(key.workspace())
                || !isOrdinary(key, script)
                || !waiting.compareAndSet(spare, null)) {
            return Optional.empty();
        }
        // Its place is that of the script's process from now on.
        lock.run(placement::releaseSpare);
        try {
            Process process = spare.started().process();
            process.getOutputStream().write(commands.assignment(key, script));
            process.getOutputStream().flush();
            return Optional.of(spare.started());
        } catch (IOException e) {
            logger.debug("The spare process of Deno has ended; the script gets one of its own.", e);
            end(spare);
            return Optional.empty();
        } catch (WorkerFault e) {
            end(spare);
            throw e;
        }
    }

    /** Whether a process for this script starts with the same flags, environment and limits as the spare. */
    private boolean isOrdinary(ScriptKey key, Script script) {
        return script.runtime() == ScriptRuntime.DENO
                && DenoImportMap.isCommon(script)
                && script.packages().folders().isEmpty()
                && script.annotation().permissions().equals(Permissions.NONE)
                && script.limits().equals(limits)
                && script.folder().equals(key.folderBelow(scripts));
    }

    /** Starts a spare for this workspace, unless one waits. Ends the spare of another workspace. Blocks. */
    void renew(String workspace) {
        Waiting spare = waiting.get();
        if (isImpossible() || (spare != null && spare.workspace().equals(workspace))) {
            return;
        }
        dismiss();
        if (!lock.get(placement::reserveSpare)) {
            return;
        }
        try {
            Waiting fresh = new Waiting(workspace, launcher.startSpare(workspace, scripts, limits));
            var unused = fresh.started().process().onExit().thenRun(() -> forget(fresh));
            if (!waiting.compareAndSet(null, fresh)) {
                end(fresh);
            } else if (!fresh.started().process().isAlive()) {
                forget(fresh);
            } else if (!lock.get(placement::hasSpare)) {
                // A script has needed the place meanwhile.
                dismiss();
            }
        } catch (IOException | LoadException e) {
            lock.run(placement::releaseSpare);
            logger.debug("No spare process of Deno could be started.", e);
        }
    }

    /**
     * Whether a process cannot give up what it has more than its script: a sandbox is made for one script, and permissions
     * for everything, or for a folder around those of the scripts, would go with those for the scripts.
     */
    private boolean isImpossible() {
        return commands.isSandboxed()
                || Stream.of(Permission.READ, Permission.WRITE)
                        .map(granted.values()::get)
                        .anyMatch(limits -> limits != null
                                && (limits.isEmpty()
                                        || limits.stream().map(Path::of).anyMatch(folder::startsWith)));
    }

    /** Ends the spare, so that its memory is free for others. */
    void dismiss() {
        Waiting spare = waiting.getAndSet(null);
        if (spare != null) {
            lock.run(placement::releaseSpare);
            end(spare);
        }
    }

    private void forget(Waiting ended) {
        if (waiting.compareAndSet(ended, null)) {
            lock.run(placement::releaseSpare);
            logger.debug("The spare process of Deno has ended.");
            launcher.forget(ended.started().process(), ended.started().processId());
        }
    }

    private void end(Waiting spare) {
        launcher.kill(spare.started().process(), spare.started().processId());
        launcher.forget(spare.started().process(), spare.started().processId());
    }
}
