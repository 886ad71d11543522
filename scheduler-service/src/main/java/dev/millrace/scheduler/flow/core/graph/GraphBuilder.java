package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles a list of steps, and the lists inside it, to a graph. */
final class GraphBuilder {
    private final Tasks tasks;
    private final SubFlows subFlows;
    private final StepList list;
    private final boolean single;
    private final @Nullable GraphBuilder outer;
    private final int nesting;
    private final Map<String, Integer> byId = new LinkedHashMap<>();
    private final List<Set<Integer>> uses = new ArrayList<>();
    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<Integer> readers = new ArrayList<>();
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private @Nullable Map<String, Integer> branchSteps;
    /** Position of the step that is being compiled; the number of steps stands for the output. */
    private int current;
    /** Whether all expressions and checks so far are plain. */
    private boolean plain = true;

    private GraphBuilder(
            Tasks tasks, SubFlows subFlows, StepList list, boolean single, @Nullable GraphBuilder outer, int nesting) {
        this.tasks = tasks;
        this.subFlows = subFlows;
        this.list = list;
        this.single = single;
        this.outer = outer;
        this.nesting = nesting;
    }

    /** The graphs of a flow: its steps, and the steps that handle its failure. */
    record Built(Graph steps, Optional<Graph> onFailure) {}

    static Built build(Tasks tasks, SubFlows subFlows, FlowDefinition flow) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, flow.steps(), false, null, 1);
        builder.compile(List.of());
        List<Template> atItsEnd = flow.options().recovers().stream().toList();
        Optional<Graph> onFailure = flow.options().onFailure().map(steps -> builder.inner(steps, false, atItsEnd));
        return new Built(builder.graph(), onFailure);
    }

    /** Builds the graph of a flow inside another flow. */
    static Graph buildInner(Tasks tasks, SubFlows subFlows, FlowDefinition flow, int nesting) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, flow.steps(), false, null, nesting);
        builder.compile(List.of());
        return builder.graph();
    }

    private final List<Work> works = new ArrayList<>();
    private final List<Set<Integer>> needs = new ArrayList<>();

    /**
     * Compiles the steps of the list.
     *
     * @param ending further templates that are evaluated at the end of the list
     */
    private void compile(List<Template> ending) {
        if (nesting > FlowLimits.NESTING_MAX) {
            throw new IllegalArgumentException("The flow nests deeper than " + FlowLimits.NESTING_MAX + " levels.");
        }
        for (Step step : list.steps()) {
            if (byId.put(step.id(), byId.size()) != null) {
                throw new IllegalArgumentException("Two steps have the id \"" + step.id() + "\".");
            }
            uses.add(new LinkedHashSet<>());
            successors.add(new ArrayList<>());
            readers.add(0);
        }
        uses.add(new LinkedHashSet<>());
        for (Step step : list.steps()) {
            works.add(StepCompilers.compile(step, this));
            readPolicy(step.policy());
            needs.add(linkNeeds(step));
            current++;
        }
        readOutput();
        ending.forEach(this::read);
    }

    private StepPolicy policy(Step step) {
        StepPolicy own = step.policy();
        return switch (step.action()) {
            case StepAction.Task task -> own.ofTask(task.options());
            case StepAction.Hooked hooked
            when hooked.run() instanceof StepAction.Task task -> own.around(task.options());
            case StepAction.Hooked hooked -> own.within(innerFlow(hooked.run()).flatMap(FlowOptions::timeout));
            case StepAction action ->
                innerFlow(action).map(inner -> policyAround(own, inner)).orElse(own);
        };
    }

    /**
     * Returns the policy of a step that runs an inner flow. The policy includes the options of that flow that concern
     * all its steps.
     */
    private static StepPolicy policyAround(StepPolicy own, FlowOptions inner) {
        return own.within(inner.timeout()).onSameWorker(own.sameWorker() || HandledFlow.keepsToWorker(inner));
    }

    private Optional<FlowOptions> innerFlow(StepAction action) {
        if (action instanceof StepAction.SubFlow sub) {
            return subFlows.isRun(sub) ? Optional.empty() : Optional.of(subFlows.options(sub));
        }
        return action.inlineFlow().map(FlowDefinition::options);
    }

    private void readPolicy(StepPolicy policy) {
        policy.skip().ifPresent(skip -> {
            read(skip.when());
            read(skip.result());
        });
        policy.mock().ifPresent(this::read);
        policy.delay().ifPresent(this::read);
        policy.retryIf().ifPresent(this::read);
        policy.beginIf().ifPresent(this::read);
        for (StepPolicy.Stop stop : policy.stops()) {
            read(stop.when());
            stop.failure().ifPresent(this::read);
        }
    }

    private Set<Integer> linkNeeds(Step step) {
        Set<Integer> needed = new LinkedHashSet<>();
        for (String need : step.needs()) {
            Integer position = byId.get(need);
            if (position == null) {
                throw new IllegalArgumentException(
                        "Step \"" + step.id() + "\" needs the unknown step \"" + need + "\".");
            }
            if (needed.add(position)) {
                successors.get(position).add(current);
            }
        }
        return needed;
    }

    private void readOutput() {
        if (list.output().isPresent()) {
            read(list.output().get());
        } else if (current > 0 && uses.get(current).add(current - 1)) {
            count(current - 1);
        }
    }

    private Graph graph() {
        List<Node> nodes = new ArrayList<>();
        List<Integer> roots = new ArrayList<>();
        for (int i = 0; i < works.size(); i++) {
            if (needs.get(i).isEmpty()) {
                roots.add(i);
            }
            Step step = list.steps().get(i);
            nodes.add(new Node(
                    step.id(),
                    works.get(i),
                    policy(step),
                    needs.get(i).size(),
                    List.copyOf(successors.get(i)),
                    List.copyOf(uses.get(i)),
                    readers.get(i)));
        }
        requireNoCycle(nodes, roots);
        List<Graph.Slot> leaving = new ArrayList<>();
        slots.forEach((id, place) ->
                leaving.add(new Graph.Slot(id, requireNonNull(branchSteps().get(id)), readers.get(place))));
        return new Graph(
                List.copyOf(nodes),
                new HashMap<>(byId),
                List.copyOf(roots),
                list.output(),
                single,
                List.copyOf(leaving),
                new HashMap<>(slots),
                plain);
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
            throw new IllegalArgumentException("The steps of a list need one another in a cycle.");
        }
    }

    Tasks tasks() {
        return tasks;
    }

    SubFlows subFlows() {
        return subFlows;
    }

    /** Number of lists around the steps, including this one. */
    int nesting() {
        return nesting;
    }

    /**
     * Builds the graph of a list inside the step that is being compiled.
     *
     * @param ending further templates that are evaluated at the end of that list
     */
    Graph inner(StepList inner, boolean innerSingle, List<Template> ending) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, inner, innerSingle, this, nesting + 1);
        builder.compile(ending);
        return builder.graph();
    }

    /** Records that the step being compiled reads what a template refers to. */
    void read(Template template) {
        plain &= template.isPlain();
        for (Expression expression : template.expressions()) {
            Reads reads = expression.reads();
            reads.steps().forEach(this::read);
            if (reads.anyStep()) {
                readAll();
            }
        }
    }

    /** Records that the step being compiled checks an input. */
    void check(RunInput.Check inputs) {
        plain &= inputs.isPlain();
    }

    /** Records that the step being compiled may read everything it can see, because an expression computes step ids. */
    private void readAll() {
        for (GraphBuilder level = this; level != null; level = level.outer) {
            for (int step = 0; step < level.byId.size(); step++) {
                if (step != level.current) {
                    level.use(step);
                }
            }
            GraphBuilder reading = level;
            level.branchSteps().keySet().forEach(id -> reading.use(reading.slot(id)));
        }
    }

    /**
     * Records, on the level that contains the step, that the node being compiled there reads its result. A step that
     * does not exist has no result and reads as null.
     */
    private void read(String id) {
        for (GraphBuilder level = this; level != null; level = level.outer) {
            Integer step = level.byId.get(id);
            if (step != null) {
                level.use(step);
                return;
            }
            if (level.branchSteps().containsKey(id)) {
                level.use(level.slot(id));
                return;
            }
        }
    }

    private void use(int place) {
        if (uses.get(current).add(place)) {
            count(place);
        }
    }

    private void count(int place) {
        readers.set(place, readers.get(place) + 1);
    }

    private int slot(String id) {
        return slots.computeIfAbsent(id, _ -> {
            readers.add(0);
            return readers.size() - 1;
        });
    }

    /**
     * Returns the steps inside the branches of this list, each with the position of the node that contains it. Steps
     * inside loops and sub-flows are not visible here.
     */
    private Map<String, Integer> branchSteps() {
        Map<String, Integer> known = branchSteps;
        if (known == null) {
            known = new HashMap<>();
            for (int i = 0; i < list.steps().size(); i++) {
                collectBranchSteps(list.steps().get(i).action(), i, known);
            }
            branchSteps = known;
        }
        return known;
    }

    private static void collectBranchSteps(StepAction action, int container, Map<String, Integer> steps) {
        for (StepList branch : action.openLists()) {
            for (Step step : branch.steps()) {
                steps.putIfAbsent(step.id(), container);
                collectBranchSteps(step.action(), container, steps);
            }
        }
    }
}
