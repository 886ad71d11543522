package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes and leaves none behind.
 *
 * <p>All are started by one thread that lives as long as the launcher, because Linux counts a process whose starting thread ends as one
 * whose parent has died, and with {@code pdeathsig} kills it.
 */
final class ProcessLauncher implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(ProcessLauncher.class);

    private final ProcessCommands commands;
    private final String idPrefix =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + "-";
    private final AtomicLong started = new AtomicLong();
    private final Set<Process> alive = ConcurrentHashMap.newKeySet();
    private final ExecutorService starter =
            Executors.newSingleThreadExecutor(Threads.named("millrace-process-starter"));
    private volatile boolean closed;

    ProcessLauncher(ProcessCommands commands) {
        this.commands = requireNonNull(commands, "commands");
    }

    /** An id that the environment of the next process and of all its children carries. */
    String nextProcessId() {
        return idPrefix + started.incrementAndGet();
    }

    Process start(ScriptKey key, Script script, String processId) throws IOException {
        ProcessBuilder builder = commands.prepare(key, script, processId);
        try {
            return starter.submit(() -> start(builder, processId)).get();
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.toString() : e.getCause().getMessage(), e);
        } catch (RejectedExecutionException e) {
            throw new IOException("the worker is stopping", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the worker is stopping", e);
        }
    }

    private Process start(ProcessBuilder builder, String processId) throws IOException {
        Process process = builder.start();
        alive.add(process);
        // Children that outlive the process may hold its frames channel open: without them its reader sees the end.
        var unused = process.onExit().thenRun(() -> ProcessTree.killMarked(processId));
        if (closed) {
            ProcessTree.kill(process, processId);
        }
        return process;
    }

    void forget(Process process) {
        alive.remove(process);
    }

    void closeStdin(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            logger.debug("The stdin of an ending process was closed already.", e);
        }
    }

    /** Kills every process of this launcher with all its children. */
    @Override
    public void close() {
        killAll();
        starter.shutdown();
    }

    private void killAll() {
        closed = true;
        if (!alive.isEmpty()) {
            alive.forEach(process -> process.toHandle().destroyForcibly());
            ProcessTree.killAllMarked(idPrefix);
            alive.clear();
        }
    }
}
