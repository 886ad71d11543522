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
 * Submits the runs of each workspace on a thread of its own, in order, so that a workspace whose submissions take long delays no
 * other one. Whoever notes further starts should pass over workspaces that are busy. Thread-safe.
 */
public final class StartLines {
    private static final Logger log = LoggerFactory.getLogger(StartLines.class);

    private final Consumer<List<ClaimedStart>> finish;
    /** What waits for each workspace that is busy. */
    private final Map<Workspace, Deque<List<ClaimedStart>>> lines = new HashMap<>();

    /** @param finish submits runs of one workspace; blocking */
    StartLines(Consumer<List<ClaimedStart>> finish) {
        this.finish = requireNonNull(finish, "finish");
    }

    /** The workspaces whose runs are being submitted. */
    public synchronized Set<Workspace> busy() {
        return Set.copyOf(lines.keySet());
    }

    /**
     * Submits runs after those that were added before.
     *
     * @param ended told once nothing more waits for the workspace
     */
    void add(Workspace workspace, List<ClaimedStart> starts, Runnable ended) {
        Deque<List<ClaimedStart>> line = new ArrayDeque<>(List.of(starts));
        synchronized (this) {
            Deque<List<ClaimedStart>> before = lines.putIfAbsent(workspace, line);
            if (before != null) {
                before.add(starts);
                return;
            }
        }
        Thread.ofVirtual().name("trigger-starts " + workspace).start(() -> {
            try {
                for (List<ClaimedStart> next = next(workspace, line); !next.isEmpty(); next = next(workspace, line)) {
                    submit(workspace, next);
                }
            } finally {
                end(workspace, line);
                ended.run();
            }
        });
    }

    /** Takes what comes next; empty once the workspace is not busy any more. */
    private synchronized List<ClaimedStart> next(Workspace workspace, Deque<List<ClaimedStart>> line) {
        List<ClaimedStart> next = line.poll();
        if (next == null) {
            end(workspace, line);
            return List.of();
        }
        return next;
    }

    /** Ends a line. What still waits in it, because an error ended its thread, is taken over once its claims expire. */
    private synchronized void end(Workspace workspace, Deque<List<ClaimedStart>> line) {
        lines.remove(workspace, line);
    }

    private void submit(Workspace workspace, List<ClaimedStart> starts) {
        try {
            finish.accept(starts);
        } catch (RuntimeException failure) {
            // They stay claimed, and are taken over once their claims expire.
            log.atWarn()
                    .addKeyValue("workspace", workspace)
                    .setCause(failure)
                    .log("Runs of triggers could not be submitted and will be tried again");
        }
    }
}
