package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.flow.dialect.Nearest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Check of the task graph: ids are unique, dependencies exist, and no tasks wait for each other. */
final class TaskGraph {
    private final Reading reading;
    private final List<TaskNode> tasks;
    private final Map<String, TaskNode> byId = new LinkedHashMap<>();

    TaskGraph(Reading reading, List<TaskNode> tasks) {
        this.reading = reading;
        this.tasks = tasks;
    }

    void check() {
        for (TaskNode task : tasks) {
            if (byId.putIfAbsent(task.id(), task) != null) {
                reading.problem(
                        task.mark(),
                        task.path(),
                        "The id \"" + task.id() + "\" is taken by another task.",
                        "Give one of the two another id.");
            }
        }
        Set<String> stepIds = new HashSet<>();
        byId.values().stream()
                .flatMap(task -> task.steps().stream())
                .filter(step -> !stepIds.add(step.id()))
                .map(step -> byId.getOrDefault(step.id(), tasks.getFirst()))
                .forEach(task -> reading.problem(
                        task.mark(),
                        task.path(),
                        "The id \"" + task.id() + "\" is taken by the wait before a task that may be blocked.",
                        "Give the task another id."));
        for (TaskNode task : tasks) {
            for (String need : task.needs()) {
                if (!byId.containsKey(need)) {
                    reading.problem(
                            task.needsMark(),
                            task.path() + ".dependOn",
                            "Task \"" + task.id() + "\" depends on \"" + need + "\", which is not a task.",
                            Nearest.didYouMean(need, byId.keySet()) + "Tasks: " + String.join(", ", byId.keySet())
                                    + ".");
                }
            }
        }
        checkCycles();
    }

    /**
     * Finds a cycle: removes tasks without unmet dependencies until none is left or only tasks on or behind cycles are.
     */
    private void checkCycles() {
        Map<String, Set<String>> unmet = new HashMap<>();
        Map<String, List<TaskNode>> followers = new HashMap<>();
        Deque<TaskNode> free = new ArrayDeque<>();
        for (TaskNode task : byId.values()) {
            Set<String> needs = new HashSet<>(task.needs());
            needs.retainAll(byId.keySet());
            unmet.put(task.id(), needs);
            needs.forEach(need ->
                    followers.computeIfAbsent(need, _ -> new ArrayList<>()).add(task));
            if (needs.isEmpty()) {
                free.add(task);
            }
        }
        for (TaskNode done = free.poll(); done != null; done = free.poll()) {
            unmet.remove(done.id());
            for (TaskNode follower : followers.getOrDefault(done.id(), List.of())) {
                Set<String> left = unmet.getOrDefault(follower.id(), Set.of());
                if (left.remove(done.id()) && left.isEmpty()) {
                    free.add(follower);
                }
            }
        }
        byId.values().stream()
                .filter(task -> unmet.containsKey(task.id()))
                .findFirst()
                .ifPresent(task -> report(task, unmet));
    }

    private void report(TaskNode start, Map<String, Set<String>> unmet) {
        List<String> way = new ArrayList<>();
        String id = start.id();
        while (!way.contains(id)) {
            way.add(id);
            id = unmet.getOrDefault(id, Set.of()).stream()
                    .filter(unmet::containsKey)
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        way.add(id);
        reading.problem(
                start.needsMark(),
                start.path() + ".dependOn",
                "These tasks wait for each other: " + String.join(" → ", way.subList(way.indexOf(id), way.size()))
                        + " (each depends on the next).",
                "Remove one of these dependencies.");
    }
}
