package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
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
    private final SubFlows subFlows;
    private final StepList list;
    private final boolean single;
    private final @Nullable GraphBuilder outer;
    private final Map<String, Integer> byId = new LinkedHashMap<>();
    private final List<Set<Integer>> uses = new ArrayList<>();
    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<Integer> readers = new ArrayList<>();
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private @Nullable Map<String, Integer> branchSteps;
    /** The step being compiled; the number of steps stands for the output. */
    private int current;
    /** Whether all expressions so far are plain. */
    private boolean plain = true;

    private GraphBuilder(Tasks tasks, SubFlows subFlows, StepList list, boolean single, @Nullable GraphBuilder outer) {
        this.tasks = tasks;
        this.subFlows = subFlows;
        this.list = list;
        this.single = single;
        this.outer = outer;
    }

    /** The graph of a flow, and of the steps that run once it has failed. */
    record Built(Graph steps, Optional<Graph> onFailure) {}

    static Built build(Tasks tasks, SubFlows subFlows, FlowDefinition flow) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, flow.steps(), false, null);
        builder.compile(1, List.of());
        List<Template> atItsEnd = flow.options().recovers().stream().toList();
        Optional<Graph> onFailure = flow.options().onFailure().map(steps -> builder.inner(steps, false, 1, atItsEnd));
        return new Built(builder.graph(), onFailure);
    }

    /** The graph of a flow inside another one. */
    static Graph buildInner(Tasks tasks, SubFlows subFlows, FlowDefinition flow, int nesting) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, flow.steps(), false, null);
        builder.compile(nesting, List.of());
        return builder.graph();
    }

    private final List<Node.Work> works = new ArrayList<>();
    private final List<Set<Integer>> needs = new ArrayList<>();

    /** @param ending what else is resolved at the end of the list */
    private void compile(int nesting, List<Template> ending) {
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
            works.add(work(step, nesting));
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

    /** A flow inside another one brings along what holds for all of its steps. */
    private static StepPolicy policyAround(StepPolicy own, FlowOptions inner) {
        return own.within(inner.timeout()).onSameWorker(own.sameWorker() || HandledFlow.keepsToWorker(inner));
    }

    private Optional<FlowOptions> innerFlow(StepAction action) {
        return switch (action) {
            case StepAction.SubFlow sub when subFlows.isRun(sub) -> Optional.empty();
            case StepAction.SubFlow sub -> Optional.of(subFlows.options(sub));
            case StepAction.InlineFlow sub -> Optional.of(sub.flow().options());
            case StepAction _ -> Optional.empty();
        };
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
            throw new IllegalArgumentException("The steps of a list need each other in a circle.");
        }
    }

    private Node.Work work(Step step, int nesting) {
        return switch (step.action()) {
            case StepAction.Task task -> {
                read(task.input());
                task.options().tag().ifPresent(this::read);
                task.options().overrides().ifPresent(this::read);
                task.options().cache().flatMap(TaskOptions.Cache::key).ifPresent(this::read);
                task.options().limit().flatMap(TaskOptions.Limit::key).ifPresent(this::read);
                if (task.target() instanceof StepAction.TaskTarget.Computed computed) {
                    read(computed.name());
                }
                yield tasks.resolve(task, step.policy());
            }
            case StepAction.Hooked hooked -> choice(HookedStep.block(hooked), nesting);
            case StepAction.ForEach loop -> {
                read(loop.items());
                loop.computedParallelism().ifPresent(this::read);
                read(loop.options().skipFailures());
                loop.options().key().ifPresent(this::read);
                yield new Node.ForEach(
                        loop.items(),
                        loop.parallelism(),
                        loop.computedParallelism(),
                        inner(
                                loop.body(),
                                loop.single()
                                        && standsForIteration(
                                                loop.body().steps().getFirst()),
                                nesting,
                                loop.options().breakIf().stream().toList()),
                        loop.options());
            }
            case StepAction.While loop -> {
                loop.options().key().ifPresent(this::read);
                List<Template> ending =
                        new ArrayList<>(loop.options().breakIf().stream().toList());
                ending.add(loop.condition());
                yield new Node.While(
                        loop.condition(),
                        loop.conditionFirst(),
                        loop.iterationsMax(),
                        inner(loop.body(), false, nesting, ending),
                        loop.options());
            }
            case StepAction.Parallel parallel ->
                new Node.Parallel(
                        parallel.branches().stream()
                                .map(branch -> new Node.NamedBranch(
                                        branch.name(),
                                        inner(branch.steps(), false, nesting, List.of()),
                                        branch.skipFailure()))
                                .toList(),
                        parallel.parallelism(),
                        parallel.stopped());
            case StepAction.Switch choice -> choice(choice, nesting);
            case StepAction.SubFlow sub -> {
                read(sub.input());
                yield subFlows.isRun(sub)
                        ? new Node.ChildRun(
                                new Template.Constant(JsonValue.ofString(sub.path())), sub.input(), sub.runIdAs())
                        : subFlows.resolve(sub, tasks, nesting + 1);
            }
            case StepAction.InlineFlow sub -> {
                read(sub.input());
                yield subFlows.resolve(sub, tasks, nesting + 1);
            }
            case StepAction.Compute compute -> {
                read(compute.result());
                yield new Node.Compute(compute.result());
            }
            case StepAction.SetVariables set -> {
                read(set.values());
                yield new Node.SetVariables(set.values());
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
            case StepAction.ChildRun child -> {
                read(child.flow());
                read(child.input());
                yield new Node.ChildRun(child.flow(), child.input(), child.runIdAs());
            }
            case StepAction.Wait wait -> {
                read(wait.until());
                yield new Node.Wait(wait.until());
            }
        };
    }

    /** Only a plain step can go by the key of its iteration: a container, or a step that may end it early, leaves more rows. */
    private static boolean standsForIteration(Step step) {
        return step.policy().equals(StepPolicy.NONE)
                && switch (step.action()) {
                    case StepAction.Task _,
                            StepAction.Compute _,
                            StepAction.Wait _,
                            StepAction.StartRun _,
                            StepAction.ChildRun _ -> true;
                    case StepAction.Hooked _,
                            StepAction.ForEach _,
                            StepAction.While _,
                            StepAction.Parallel _,
                            StepAction.Switch _,
                            StepAction.SubFlow _,
                            StepAction.InlineFlow _,
                            StepAction.SetVariables _,
                            StepAction.Terminate _ -> false;
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
            branches.add(new Node.Branch(branch.test(), inner(branch.steps(), false, nesting, List.of())));
        }
        Optional<Graph> otherwise = choice.otherwise().map(steps -> inner(steps, false, nesting, List.of()));
        return new Node.Switch(choice.value(), List.copyOf(branches), otherwise);
    }

    private Graph inner(StepList inner, boolean innerSingle, int nesting, List<Template> ending) {
        GraphBuilder builder = new GraphBuilder(tasks, subFlows, inner, innerSingle, this);
        builder.compile(nesting + 1, ending);
        return builder.graph();
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
        plain &= template.isPlain();
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
            for (int step = 0; step < level.byId.size(); step++) {
                if (step != level.current) {
                    level.use(step);
                }
            }
            GraphBuilder reading = level;
            level.branchSteps().keySet().forEach(id -> reading.use(reading.slot(id)));
        }
    }

    /** Notes on the level where the step stands that whatever is being compiled there reads its result. What does not exist has none, which is null. */
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

    /** The steps inside branches of this list's steps, with the position of that step; loops and sub-flows keep theirs to themselves. */
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
        List<StepList> branches = switch (action) {
            case StepAction.Switch choice -> {
                List<StepList> all = new ArrayList<>();
                choice.cases().forEach(branch -> all.add(branch.steps()));
                choice.otherwise().ifPresent(all::add);
                yield all;
            }
            case StepAction.Parallel parallel ->
                parallel.branches().stream().map(StepAction.Branch::steps).toList();
            case StepAction.Hooked hooked -> {
                collectBranchSteps(hooked.run(), container, steps);
                yield List.of();
            }
            case StepAction.Task _,
                    StepAction.ForEach _,
                    StepAction.While _,
                    StepAction.SubFlow _,
                    StepAction.InlineFlow _,
                    StepAction.StartRun _,
                    StepAction.ChildRun _,
                    StepAction.Compute _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _,
                    StepAction.Wait _ -> List.of();
        };
        for (StepList branch : branches) {
            for (Step step : branch.steps()) {
                steps.putIfAbsent(step.id(), container);
                collectBranchSteps(step.action(), container, steps);
            }
        }
    }
}
