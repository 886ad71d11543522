package dev.millrace.scheduler.expression.evaluator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Those who wait, taken in turns: workspaces one after the other, inside each its runs one after the other, and those of one run in the order in
 * which they came. So one run with thousands does not delay another's first. Not thread-safe.
 *
 * @param <T> what waits
 */
final class Turns<T> {
    private final LinkedHashMap<String, LinkedHashMap<String, Deque<T>>> workspaces = new LinkedHashMap<>();
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

    /** Takes whose turn it is; empty where nobody waits. */
    Optional<T> poll() {
        Map.Entry<String, LinkedHashMap<String, Deque<T>>> workspace = workspaces.pollFirstEntry();
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

    /** Lets go of one that does not wait any more; false where it was taken before. */
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
