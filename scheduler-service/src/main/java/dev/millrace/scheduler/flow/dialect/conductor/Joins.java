package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.conductor.TaskTree.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Steps that a join waits for, and outputs that it collects. */
final class Joins {
    private final Compiling compiling;
    private final Level level;

    Joins(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    /**
     * Returns the steps that must end before a join: the preceding steps of its list and the tasks in {@code joinOn}.
     * For an EXCLUSIVE_JOIN, the tasks after the first one that runs unconditionally are left out.
     */
    List<String> needs(TaskNode join, List<String> before) {
        Set<String> needs = new LinkedHashSet<>(before);
        boolean decided = false;
        for (String key : List.of("joinOn", "defaultExclusiveJoinTask")) {
            List<SourceNode.Text> names = names(join, key);
            for (int i = 0; i < names.size(); i++) {
                Optional<String> need =
                        need(names.get(i), Paths.element(join.fields().path(key), i));
                if (!decided) {
                    need.ifPresent(step -> {
                        needs.add(step);
                        noteOf(step).ifPresent(needs::add);
                    });
                }
                decided |= join.type() == TaskType.EXCLUSIVE_JOIN
                        && runsInAnyCase(names.get(i).text());
            }
        }
        return List.copyOf(needs);
    }

    /** The step that records the end time of a task. */
    private Optional<String> noteOf(String step) {
        return compiling
                .tree()
                .find(step)
                .map(place -> TimeNotes.ended(place.task()))
                .filter(level::has);
    }

    private boolean runsInAnyCase(String task) {
        return compiling
                .tree()
                .find(task)
                .filter(place -> place.containers().size() == TaskReferences.shared(place, level))
                .isPresent();
    }

    /** Reads an array of reference names. */
    private List<SourceNode.Text> names(TaskNode join, String key) {
        Optional<SourceNode> node = join.fields().find(key);
        List<SourceNode.Text> names = new ArrayList<>();
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                if (item instanceof SourceNode.Text name) {
                    names.add(name);
                } else {
                    reportNotNames(join, key, item);
                }
            }
        } else if (node.isPresent()) {
            reportNotNames(join, key, node.get());
        }
        return names;
    }

    private void reportNotNames(TaskNode join, String key, SourceNode node) {
        compiling
                .reading()
                .problem(
                        node.mark(),
                        join.fields().path(key),
                        key + " holds " + node.phrase() + " (expected: an array of taskReferenceNames).",
                        "Write for example [\"left\", \"right\"].");
    }

    private Optional<String> need(SourceNode.Text name, String path) {
        Optional<Place> place = compiling.tree().find(name.text());
        if (place.isEmpty()) {
            List<String> known = new ArrayList<>();
            compiling.tree().references().forEach(known::add);
            return problem(
                    name,
                    path,
                    "There is no task with the taskReferenceName \"" + name.text() + "\".",
                    Nearest.didYouMean(name.text(), known) + "There are: " + String.join(", ", known) + ".");
        }
        int shared = TaskReferences.shared(place.get(), level);
        String step = TaskReferences.visibleStep(place.get(), level);
        if (shared < level.depth()) {
            return level.at(shared).endsBefore(step)
                    ? Optional.empty()
                    : problem(
                            name,
                            path,
                            "Task \"" + name.text() + "\" cannot be joined on here, because it runs outside of \""
                                    + containerName() + "\".",
                            "Join on it outside of \"" + containerName() + "\".");
        }
        return level.has(step)
                ? Optional.of(step)
                : problem(
                        name,
                        path,
                        "The join waits for task \"" + name.text() + "\", which comes after it.",
                        "Join on tasks of the branches before it.");
    }

    private String containerName() {
        TaskNode container = level.container();
        return container == null ? "" : container.reference();
    }

    private Optional<String> problem(SourceNode.Text name, String path, String message, String remedy) {
        compiling.reading().problem(name.mark(), path, message, remedy);
        return Optional.empty();
    }

    /** The step that represents a task in the list of the join or in a list around it. */
    String step(String task) {
        return TaskReferences.visibleStep(compiling.tree().find(task).orElseThrow(), level);
    }

    private boolean hasEnded(String task) {
        return compiling
                .tree()
                .find(task)
                .filter(place -> level.at(TaskReferences.shared(place, level))
                        .endsBefore(TaskReferences.visibleStep(place, level)))
                .isPresent();
    }

    /** The outputs of the tasks that a key names, in order. */
    List<Named> outputs(TaskNode join, String key) {
        List<Named> outputs = new ArrayList<>();
        for (SourceNode.Text name : names(join, key)) {
            if (hasEnded(name.text())) {
                new TaskReferences(compiling, level, name.mark(), join.fields().path(key))
                        .find(name.text(), "output")
                        .ifPresent(output -> outputs.add(new Named(name.text(), output)));
            }
        }
        return outputs;
    }

    /** Tasks of {@code joinOn} whose failure fails the join. */
    List<String> permissive(TaskNode join) {
        return names(join, "joinOn").stream()
                .map(SourceNode.Text::text)
                .filter(name -> compiling
                        .tree()
                        .find(name)
                        .filter(place -> TaskSettings.isPermissive(place.task()))
                        .isPresent())
                .toList();
    }

    /** Reference name and output of a task. */
    record Named(String task, Expression output) {}
}
