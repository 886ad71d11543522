package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options of a {@link ScriptWorker}. Begin with {@link #of} and change what differs.
 *
 * @param target address of the scheduler, for example {@code localhost:8401}
 * @param name name of the worker, for people
 * @param labels free labels, for people
 * @param slots groups of slots for jobs
 * @param processesMax largest number of processes, including idle ones
 * @param grace time from the request to stop a job until its process is killed
 * @param stopTimeout time that {@link ScriptWorker#close} gives running jobs to end
 * @param folder folder for scripts, runtimes and the processes' private folders; workers may share it
 * @param python name or path of the Python interpreter; if empty, {@code MILLRACE_PYTHON}, then the usual command
 * @param deno name or path of Deno; if empty, {@code MILLRACE_DENO}, then the one below {@code MILLRACE_HOME}, then the
 *     usual command
 * @param passedEnvironment names of variables that processes get from the worker's own environment
 * @param handlers Java handlers that run beside scripts
 */
public record ScriptWorkerOptions(
        String target,
        String name,
        Map<String, String> labels,
        List<ScriptSlots> slots,
        int processesMax,
        Duration grace,
        Duration stopTimeout,
        Path folder,
        Optional<String> python,
        Optional<String> deno,
        List<String> passedEnvironment,
        HandlerSlots handlers) {
    private static final int PREFETCH_PER_SLOT = 4;

    public ScriptWorkerOptions {
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        labels = Map.copyOf(labels);
        slots = List.copyOf(slots);
        requireNonNull(grace, "grace");
        requireNonNull(stopTimeout, "stopTimeout");
        requireNonNull(folder, "folder");
        requireNonNull(python, "python");
        requireNonNull(deno, "deno");
        passedEnvironment = List.copyOf(passedEnvironment);
        requireNonNull(handlers, "handlers");
        if (processesMax < 1) {
            throw new IllegalArgumentException("processes_max: " + processesMax + " (expected: >= 1)");
        }
    }

    /** Returns defaults: one slot per processor for Python and for Deno each, and four times as many warm processes. */
    public static ScriptWorkerOptions of(String target) {
        int processors = Runtime.getRuntime().availableProcessors();
        int prefetch = PREFETCH_PER_SLOT * processors;
        return new ScriptWorkerOptions(
                target,
                Channels.hostName(),
                Map.of(),
                List.of(ScriptSlots.of("python", processors, prefetch), ScriptSlots.of("deno", processors, prefetch)),
                Math.max(8, 4 * processors),
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                Path.of(".millrace", "worker"),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                HandlerSlots.NONE);
    }

    public ScriptWorkerOptions withName(String value) {
        return new ScriptWorkerOptions(
                target,
                value,
                labels,
                slots,
                processesMax,
                grace,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withLabels(Map<String, String> value) {
        return new ScriptWorkerOptions(
                target,
                name,
                value,
                slots,
                processesMax,
                grace,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withSlots(List<ScriptSlots> value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                value,
                processesMax,
                grace,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withProcessesMax(int value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                value,
                grace,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withGrace(Duration value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                value,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withStopTimeout(Duration value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                grace,
                value,
                folder,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withFolder(Path value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                grace,
                stopTimeout,
                value,
                python,
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withPython(String value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                grace,
                stopTimeout,
                folder,
                Optional.of(value),
                deno,
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withDeno(String value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                grace,
                stopTimeout,
                folder,
                python,
                Optional.of(value),
                passedEnvironment,
                handlers);
    }

    public ScriptWorkerOptions withPassedEnvironment(List<String> value) {
        return new ScriptWorkerOptions(
                target, name, labels, slots, processesMax, grace, stopTimeout, folder, python, deno, value, handlers);
    }

    public ScriptWorkerOptions withHandlers(HandlerSlots value) {
        return new ScriptWorkerOptions(
                target,
                name,
                labels,
                slots,
                processesMax,
                grace,
                stopTimeout,
                folder,
                python,
                deno,
                passedEnvironment,
                value);
    }
}
