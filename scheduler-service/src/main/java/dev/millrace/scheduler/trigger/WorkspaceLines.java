package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off what each workspace has claimed on a thread of its own, in order, so that a workspace whose work takes long
 * delays no other one. Whoever claims more should pass over workspaces that are busy. Thread-safe.
 *
 * @param <T> what was claimed, until its claim expires
 */
public final class WorkspaceLines<T> {
    private static final Logger log = LoggerFactory.getLogger(WorkspaceLines.class);

    private final String name;
    private final Consumer<List<T>> work;
    /** What waits for each workspace that is busy. */
    private final Map<Workspace, Deque<List<T>>> lines = new HashMap<>();

    /**
     * @param name of the threads
     * @param work done with what one workspace has claimed; blocking
     */
    public WorkspaceLines(String name, Consumer<List<T>> work) {
        this.name = requireNonNull(name, "name");
        this.work = requireNonNull(work, "work");
    }

    /** The workspaces that have work. */
    public synchronized Set<Workspace> busy() {
        return Set.copyOf(lines.keySet());
    }

    /**
     * Works off what was claimed, after what was added before.
     *
     * @param ended told once nothing more waits for the workspace
     */
    public void add(Workspace workspace, List<T> claimed, Runnable ended) {
        Deque<List<T>> line = new ArrayDeque<>(List.of(claimed));
        synchronized (this) {
            Deque<List<T>> before = lines.putIfAbsent(workspace, line);
            if (before != null) {
                before.add(claimed);
                return;
            }
        }
        Thread.ofVirtual().name(name + " " + workspace).start(() -> {
            try {
                for (List<T> next = next(workspace, line); !next.isEmpty(); next = next(workspace, line)) {
                    work(workspace, next);
                }
            } finally {
                end(workspace, line);
                ended.run();
            }
        });
    }

    /** Takes what comes next; empty once the workspace is not busy any more. */
    private synchronized List<T> next(Workspace workspace, Deque<List<T>> line) {
        List<T> next = line.poll();
        if (next == null) {
            end(workspace, line);
            return List.of();
        }
        return next;
    }

    /** Ends a line. What still waits in it, because an error ended its thread, is taken over once its claims expire. */
    private synchronized void end(Workspace workspace, Deque<List<T>> line) {
        lines.remove(workspace, line);
    }

    private void work(Workspace workspace, List<T> claimed) {
        try {
            work.accept(claimed);
        } catch (RuntimeException failure) {
            // They stay claimed, and are taken over once their claims expire.
            log.atWarn()
                    .addKeyValue("work", name)
                    .addKeyValue("workspace", workspace)
                    .setCause(failure)
                    .log("What a workspace has claimed could not be worked off and will be tried again");
        }
    }
}
