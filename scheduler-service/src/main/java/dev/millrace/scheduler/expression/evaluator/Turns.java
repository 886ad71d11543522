package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Fair queue: workspaces take turns, within each workspace its runs take turns, and elements of one run stay in order.
 * A run with thousands of elements thus does not delay the first element of another run. Not thread-safe.
 *
 * @param <T> type of the elements
 */
final class Turns<T> {
    private final LinkedHashMap<Optional<Workspace>, LinkedHashMap<String, Deque<T>>> workspaces =
            new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    void add(EvaluationOwner owner, T waiting) {
        workspaces
                .computeIfAbsent(owner.workspace(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(owner.run(), _ -> new ArrayDeque<>())
                .add(waiting);
        size++;
    }

    /** Removes the next element; empty if the queue is. */
    Optional<T> poll() {
        Map.Entry<Optional<Workspace>, LinkedHashMap<String, Deque<T>>> workspace = workspaces.pollFirstEntry();
        if (workspace == null) {
            return Optional.empty();
        }
        LinkedHashMap<String, Deque<T>> runs = workspace.getValue();
        Map.Entry<String, Deque<T>> run = runs.pollFirstEntry();
        T next = run.getValue().removeFirst();
        if (!run.getValue().isEmpty()) {
            runs.putLast(run.getKey(), run.getValue());
        }
        if (!runs.isEmpty()) {
            workspaces.putLast(workspace.getKey(), runs);
        }
        size--;
        return Optional.of(next);
    }

    /** Removes an element that need not wait any longer. Returns false if it was already taken. */
    boolean remove(EvaluationOwner owner, T waiting) {
        LinkedHashMap<String, Deque<T>> runs = workspaces.get(owner.workspace());
        Deque<T> waiters = runs == null ? null : runs.get(owner.run());
        if (runs == null || waiters == null || !waiters.remove(waiting)) {
            return false;
        }
        if (waiters.isEmpty()) {
            runs.remove(owner.run());
        }
        if (runs.isEmpty()) {
            workspaces.remove(owner.workspace());
        }
        size--;
        return true;
    }
}
