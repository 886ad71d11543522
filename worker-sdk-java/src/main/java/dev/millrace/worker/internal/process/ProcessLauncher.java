package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.limit.ControlGroup;
import dev.millrace.worker.internal.limit.ControlGroups;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes and leaves none behind.
 *
 * <p>One thread, which lives as long as the launcher, starts them all. With {@code pdeathsig}, Linux kills a process
 * when the thread that started it ends.
 */
final class ProcessLauncher implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(ProcessLauncher.class);

    private final ProcessCommands commands;
    private final ProcessMark marks;
    private final TemporaryFolders temporary;
    private final ProcessGuard guard;
    private final Optional<ControlGroups> groups;
    private final Map<String, ControlGroup> groupOf = new ConcurrentHashMap<>();
    private final Set<Process> alive = ConcurrentHashMap.newKeySet();
    private final ExecutorService starter =
            Executors.newSingleThreadExecutor(Threads.named("millrace-process-starter"));
    private final PythonTemplates templates;
    private volatile boolean closed;

    ProcessLauncher(
            ProcessCommands commands, ProcessMark marks, TemporaryFolders temporary, Optional<ControlGroups> groups) {
        this.temporary = requireNonNull(temporary, "temporary");
        this.commands = requireNonNull(commands, "commands");
        this.marks = requireNonNull(marks, "marks");
        this.groups = requireNonNull(groups, "groups");
        this.guard = ProcessGuard.start(marks, temporary.root(), groups);
        this.templates = new PythonTemplates(starter, commands);
        commands.python().prepare(templates::startOwn);
    }

    /**
     * A started process.
     *
     * @param processId the mark that it and all its descendants carry
     */
    record Started(Process process, String processId) {}

    /** Makes the process, given its mark and the files with the members of its control groups. */
    private interface Making {
        Process make(String processId, List<Path> members) throws IOException;
    }

    Started start(ScriptKey key, Script script) throws IOException {
        return start(script.limits(), (processId, members) -> start(key, script, processId, members));
    }

    /**
     * Starts a process that waits for a script of this scope.
     *
     * @param scripts parent of the folders with the scripts of all workspaces
     */
    Started startSpare(ScriptRuntime runtime, JobScope scope, Path scripts, JobLimits limits) throws IOException {
        return start(
                limits,
                (processId, members) -> start(
                        commands.prepareSpare(runtime, scope, scripts, limits, processId, members),
                        processId,
                        runtime));
    }

    private Started start(JobLimits limits, Making making) throws IOException {
        String processId = marks.next();
        try {
            Optional<ControlGroup> group = group(limits, processId);
            return new Started(
                    making.make(processId, group.map(ControlGroup::members).orElse(List.of())), processId);
        } catch (IOException | RuntimeException e) {
            leaveGroup(processId);
            throw e;
        }
    }

    private Optional<ControlGroup> group(JobLimits limits, String processId) throws IOException {
        if (groups.isEmpty()) {
            return Optional.empty();
        }
        ControlGroup group = groups.get().create(processId, limits);
        groupOf.put(processId, group);
        return Optional.of(group);
    }

    private Process start(ScriptKey key, Script script, String processId, List<Path> members) throws IOException {
        if (script.runtime() == ScriptRuntime.PYTHON) {
            Optional<Process> forked = fork(key, script, processId, members);
            if (forked.isPresent()) {
                return watch(forked.get(), processId);
            }
        }
        return start(commands.prepare(key, script, processId, members), processId, script.runtime());
    }

    private Process start(ProcessBuilder builder, String processId, ScriptRuntime runtime) throws IOException {
        try {
            return starter.submit(() -> start(builder, processId)).get();
        } catch (ExecutionException e) {
            throw new WorkerFault(
                    "The worker cannot start " + runtime.inWords() + ": "
                            + (e.getCause() == null
                                    ? e.toString()
                                    : e.getCause().getMessage()) + ".",
                    runtime);
        } catch (RejectedExecutionException e) {
            throw new IOException("the worker is stopping", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the worker is stopping", e);
        }
    }

    private Optional<Process> fork(ScriptKey key, Script script, String processId, List<Path> members)
            throws IOException {
        try {
            return templates.start(script.python(), () -> commands.fork(key, script, processId, members));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the worker is stopping", e);
        }
    }

    private Process start(ProcessBuilder builder, String processId) throws IOException {
        Process started = builder.start();
        return watch(commands.isSandboxed() ? new SandboxedProcess(started) : started, processId);
    }

    private Process watch(Process process, String processId) {
        alive.add(process);
        // Children that outlive the process may hold its frames channel open; the reader sees its end only without
        // them.
        var unused = process.onExit().thenRun(() -> ProcessTree.killMarked(marks, processId));
        if (closed) {
            kill(process, processId);
        }
        return process;
    }

    /** Kills the programs of the process that have started since a time. Returns how many of them were alive. */
    int stopPrograms(Process process, String processId, Instant since) {
        return ProcessTree.killProgramsOf(marks, processId, process.pid(), since);
    }

    /** Kills the process and all its descendants. */
    void kill(Process process, String processId) {
        ControlGroup group = groupOf.get(processId);
        if (group == null || !group.kill()) {
            ProcessTree.kill(process, marks, processId, guard);
        } else {
            // It may be about to join the group, and what it has started may have moved to another one.
            process.toHandle().destroyForcibly();
            ProcessTree.killMarked(marks, processId);
        }
        if (process instanceof ForkedProcess forked) {
            forked.expectEnd();
        }
    }

    /** Cleans up after an ended process. */
    void forget(Process process, String processId) {
        alive.remove(process);
        leaveGroup(processId);
        temporary.delete(processId);
        if (process instanceof ForkedProcess forked) {
            forked.release();
        }
    }

    private void leaveGroup(String processId) {
        ControlGroup group = groupOf.remove(processId);
        if (group != null) {
            group.close();
        }
    }

    /** Whether the system has ended the process, or one below it, because they had more memory than they may. */
    boolean wasOutOfMemory(String processId) {
        ControlGroup group = groupOf.get(processId);
        return group != null && group.wasOutOfMemory();
    }

    /** Whether the system has refused a process or thread to a process since the last call. */
    boolean wasRefusedTasks(String processId) {
        ControlGroup group = groupOf.get(processId);
        return group != null && group.hasRefusedTasks();
    }

    /** The temporary folder of a process, in which one that runs once works. */
    Path folder(String processId) {
        return temporary.root().resolve(processId);
    }

    /** The folder in which a process that runs once puts its calls. */
    Path folderOfCalls(String processId) {
        return temporary.forCalls(processId);
    }

    void closeStdin(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            logger.debug("The stdin of an ending process was closed already.", e);
        }
    }

    /** Kills every process of this launcher and all their descendants. */
    @Override
    public void close() {
        killAll();
        templates.close();
        starter.shutdown();
        temporary.close();
        guard.close();
        groups.ifPresent(ControlGroups::close);
        commands.python().close();
    }

    private void killAll() {
        closed = true;
        if (!alive.isEmpty()) {
            alive.forEach(process -> process.toHandle().destroyForcibly());
            ProcessTree.killAllMarked(marks);
            alive.clear();
        }
    }
}
