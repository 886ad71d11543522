package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the graph of one list of steps, and of the lists inside it. */
final class GraphBuilder {
    private final Tasks tasks;
    private final StepList list;
    private final boolean single;
    private final @Nullable GraphBuilder outer;
    private final Map<String, Integer> byId = new LinkedHashMap<>();
    private final List<Set<Integer>> uses = new ArrayList<>();
    private final List<List<Integer>> successors = new ArrayList<>();
    private final int[] readers;
    /** The step being compiled; the number of steps stands for the output. */
    private int current;

    private GraphBuilder(Tasks tasks, StepList list, boolean single, @Nullable GraphBuilder outer) {
        this.tasks = tasks;
        this.list = list;
        this.single = single;
        this.outer = outer;
        this.readers = new int[list.steps().size()];
    }

    static Graph build(Tasks tasks, StepList list) {
        return new GraphBuilder(tasks, list, false, null).build(1);
    }

    private Graph build(int nesting) {
        if (nesting > FlowLimits.NESTING_MAX) {
            throw new IllegalArgumentException("The flow nests deeper than " + FlowLimits.NESTING_MAX + " levels.");
        }
        for (Step step : list.steps()) {
            if (byId.put(step.id(), byId.size()) != null) {
                throw new IllegalArgumentException("Two steps have the id \"" + step.id() + "\".");
            }
            uses.add(new LinkedHashSet<>());
            successors.add(new ArrayList<>());
        }
        List<Node.Work> works = new ArrayList<>();
        List<Set<Integer>> needs = new ArrayList<>();
        for (Step step : list.steps()) {
            works.add(work(step.action(), nesting));
            needs.add(linkNeeds(step));
            current++;
        }
        readOutput();
        return graph(works, needs);
    }

    private Set<Integer> linkNeeds(Step step) {
        Set<Integer> needs = new LinkedHashSet<>();
        for (String need : step.needs()) {
            Integer needed = byId.get(need);
            if (needed == null) {
                throw new IllegalArgumentException(
                        "Step \"" + step.id() + "\" needs the unknown step \"" + need + "\".");
            }
            if (needs.add(needed)) {
                successors.get(needed).add(current);
            }
        }
        return needs;
    }

    private void readOutput() {
        if (list.output().isPresent()) {
            uses.add(new LinkedHashSet<>());
            read(list.output().get());
        } else if (current > 0) {
            readers[current - 1]++;
        }
    }

    private Graph graph(List<Node.Work> works, List<Set<Integer>> needs) {
        List<Node> nodes = new ArrayList<>();
        List<Integer> roots = new ArrayList<>();
        for (int i = 0; i < works.size(); i++) {
            if (needs.get(i).isEmpty()) {
                roots.add(i);
            }
            nodes.add(new Node(
                    list.steps().get(i).id(),
                    works.get(i),
                    needs.get(i).size(),
                    List.copyOf(successors.get(i)),
                    List.copyOf(uses.get(i)),
                    readers[i]));
        }
        requireNoCycle(nodes, roots);
        return new Graph(List.copyOf(nodes), new HashMap<>(byId), List.copyOf(roots), list.output(), single);
    }

    private static void requireNoCycle(List<Node> nodes, List<Integer> roots) {
        int[] unmet = nodes.stream().mapToInt(Node::needs).toArray();
        List<Integer> reached = new ArrayList<>(roots);
        for (int i = 0; i < reached.size(); i++) {
            for (int successor : nodes.get(reached.get(i)).successors()) {
                if (--unmet[successor] == 0) {
                    reached.add(successor);
                }
            }
        }
        if (reached.size() < nodes.size()) {
            throw new IllegalArgumentException("The steps of a list need each other in a circle.");
        }
    }

    private Node.Work work(StepAction action, int nesting) {
        return switch (action) {
            case StepAction.Task task -> {
                read(task.input());
                yield tasks.resolve(task);
            }
            case StepAction.ForEach loop -> {
                read(loop.items());
                yield new Node.ForEach(loop.items(), loop.parallelism(), inner(loop.body(), loop.single(), nesting));
            }
            case StepAction.Switch choice -> choice(choice, nesting);
            case StepAction.Compute compute -> {
                read(compute.result());
                yield new Node.Compute(compute.result());
            }
            case StepAction.Terminate terminate -> {
                read(terminate.output());
                read(terminate.reason());
                yield new Node.Terminate(terminate);
            }
            case StepAction.StartRun start -> {
                read(start.flow());
                read(start.input());
                yield new Node.RunStart(start.flow(), start.input());
            }
            case StepAction.Wait wait -> {
                read(wait.until());
                yield new Node.Wait(wait.until());
            }
            case StepAction.While _, StepAction.Parallel _, StepAction.SubFlow _, StepAction.SetVariables _ ->
                throw new IllegalArgumentException("The engine does not know " + action + ".");
        };
    }

    private Node.Switch choice(StepAction.Switch choice, int nesting) {
        choice.value().ifPresent(this::read);
        List<Node.Branch> branches = new ArrayList<>();
        for (StepAction.Case branch : choice.cases()) {
            read(
                    switch (branch.test()) {
                        case StepAction.Test.Equals equals -> equals.expected();
                        case StepAction.Test.When when -> when.condition();
                    });
            branches.add(new Node.Branch(branch.test(), inner(branch.steps(), false, nesting)));
        }
        Optional<Graph> otherwise = choice.otherwise().map(steps -> inner(steps, false, nesting));
        return new Node.Switch(choice.value(), List.copyOf(branches), otherwise);
    }

    private Graph inner(StepList inner, boolean innerSingle, int nesting) {
        return new GraphBuilder(tasks, inner, innerSingle, this).build(nesting + 1);
    }

    private void read(StepAction.WaitFor until) {
        switch (until) {
            case StepAction.WaitFor.Delay delay -> read(delay.duration());
            case StepAction.WaitFor.Until moment -> read(moment.moment());
            case StepAction.WaitFor.Events events -> {
                read(events.name());
                read(events.details());
            }
        }
    }

    private void read(Template template) {
        for (Expression expression : template.expressions()) {
            Reads reads = expression.reads();
            reads.steps().forEach(this::read);
            if (reads.anyStep()) {
                readAll();
            }
        }
    }

    /** An expression that computes ids may read whatever it can see. */
    private void readAll() {
        for (GraphBuilder level = this; level != null; level = level.outer) {
            for (int step = 0; step < level.readers.length; step++) {
                if (step != level.current && level.uses.get(level.current).add(step)) {
                    level.readers[step]++;
                }
            }
        }
    }

    /** Notes on the level where the step stands that whatever is being compiled there reads its result. */
    private void read(String id) {
        for (GraphBuilder level = this; level != null; level = level.outer) {
            Integer step = level.byId.get(id);
            if (step != null) {
                if (level.uses.get(level.current).add(step)) {
                    level.readers[step]++;
                }
                return;
            }
        }
        throw new IllegalArgumentException("An expression reads the unknown step \"" + id + "\".");
    }
}
