package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.runtime.JobScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one process that has loaded its runtime and waits for a script. It belongs to the scope whose script
 * started last, and takes only a script that has what every script has: no packages, the limits of the worker, and what
 * its runtime demands further. All other scripts start a process of their own.
 *
 * <p>It has a place in the budget of processes, which it gives up only when scripts need all
 * places at once. It only makes starts faster. A spare that ends is not replaced before the next process of a script is ready.
 * Thread-safe.
 */
final class SpareProcess {
    private static final Logger logger = LoggerFactory.getLogger(SpareProcess.class);

    private final ScriptRuntime runtime;
    private final Predicate<Script> fits;
    private final ProcessLauncher launcher;
    private final ProcessCommands commands;
    private final PoolLock lock;
    private final ProcessBudget budget;
    private final Path scripts;
    private final JobLimits limits;
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    private record Waiting(JobScope scope, ProcessLauncher.Started started) {}

    /**
     * @param runtime what the process has loaded
     * @param fits whether a script has nothing of which the process would have to know when it starts
     */
    SpareProcess(
            ScriptRuntime runtime,
            Predicate<Script> fits,
            ProcessLauncher launcher,
            ProcessCommands commands,
            ProcessHostOptions options,
            PoolLock lock,
            ProcessBudget budget) {
        this.runtime = requireNonNull(runtime, "runtime");
        this.fits = requireNonNull(fits, "fits");
        this.launcher = requireNonNull(launcher, "launcher");
        this.commands = requireNonNull(commands, "commands");
        this.lock = requireNonNull(lock, "lock");
        this.budget = requireNonNull(budget, "budget");
        this.scripts = options.folder().toAbsolutePath().resolve("scripts");
        this.limits = options.jobLimits();
    }

    /** Lets the waiting process run this script; empty if there is none, or if the script needs another one. */
    Optional<ProcessLauncher.Started> take(ScriptKey key, Script script) {
        Waiting spare = waiting.get();
        if (spare == null
                || !spare.scope().equals(key.scope())
                || !isOrdinary(key, script)
                || !waiting.compareAndSet(spare, null)) {
            return Optional.empty();
        }
        // Its place is that of the script's process from now on.
        releasePlace();
        try {
            Process process = spare.started().process();
            process.getOutputStream().write(commands.assignment(key, script));
            process.getOutputStream().flush();
            return Optional.of(spare.started());
        } catch (IOException e) {
            logger.debug("The spare process of {} has ended; the script gets one of its own.", runtime.inWords(), e);
            end(spare);
            return Optional.empty();
        } catch (WorkerFault e) {
            end(spare);
            throw e;
        }
    }

    /** Whether a process for this script starts with the same flags, environment and limits as the spare. */
    private boolean isOrdinary(ScriptKey key, Script script) {
        return script.packages().folders().isEmpty()
                && script.limits().equals(limits)
                && script.folder().equals(key.codeBelow(scripts))
                && fits.test(script);
    }

    /** Starts a spare for this scope, unless one waits. Ends the spare of another scope. Blocks. */
    void renew(JobScope scope) {
        Waiting spare = waiting.get();
        if (spare != null && spare.scope().equals(scope)) {
            return;
        }
        dismiss();
        if (!lock.get(() -> budget.reserveSpare(runtime.name()))) {
            return;
        }
        try {
            Waiting fresh = new Waiting(scope, launcher.startSpare(runtime, scope, scripts, limits));
            var unused = fresh.started().process().onExit().thenRun(() -> forget(fresh));
            if (!waiting.compareAndSet(null, fresh)) {
                end(fresh);
            } else if (!fresh.started().process().isAlive()) {
                forget(fresh);
            } else if (!lock.get(() -> budget.hasSpare(runtime.name()))) {
                // A script has needed the place meanwhile.
                dismiss();
            }
        } catch (IOException | LoadException e) {
            releasePlace();
            logger.debug("No spare process of {} could be started.", runtime.inWords(), e);
        }
    }

    /** Ends the spare, so that its memory is free for others. */
    void dismiss() {
        Waiting spare = waiting.getAndSet(null);
        if (spare != null) {
            releasePlace();
            end(spare);
        }
    }

    private void forget(Waiting ended) {
        if (waiting.compareAndSet(ended, null)) {
            releasePlace();
            logger.debug("The spare process of {} has ended.", runtime.inWords());
            launcher.forget(ended.started().process(), ended.started().processId());
        }
    }

    private void end(Waiting spare) {
        launcher.kill(spare.started().process(), spare.started().processId());
        launcher.forget(spare.started().process(), spare.started().processId());
    }

    private void releasePlace() {
        lock.run(() -> budget.releaseSpare(runtime.name()));
    }
}
