package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.conductor.ConductorFunctions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Generates random valid flows from all constructs, nested, with expressions that occasionally fail. */
final class RandomFlow {
    static final String SCRIPT = "s.py";
    /** Key of the limit that the overrides of an item state. */
    static final String OWN_LIMIT = "own";

    static final String INPUT = "{\"n\":3,\"items\":[1,\"two\",{\"k\":[3]}],\"mode\":\"fast\"}";

    private static final MillraceLanguage WITH_FUNCTIONS =
            new MillraceLanguage(Map.of("conductor", ConductorFunctions::call));
    private static final int NESTING_MAX = 3;
    private static final int STEPS_MAX = 5;

    private final RandomValues random;
    private final RandomTasks tasks;
    private final RandomPolicies policies;
    private final Map<String, FlowDefinition> subFlows = new LinkedHashMap<>();

    private int ids;

    RandomFlow(Random random) {
        this.random = new RandomValues(random);
        this.tasks = new RandomTasks(this.random);
        this.policies = new RandomPolicies(this.random);
    }

    FlowDefinition next() {
        StepList steps = list(1, Visible.NOTHING);
        Optional<StepList> onFailure =
                random.chance(20) ? Optional.of(list(NESTING_MAX, atItsEnd(steps, Visible.NOTHING))) : Optional.empty();
        FlowOptions options = sometimesOnSameWorker(
                FlowOptions.NONE.change().onFailure(onFailure).build());
        return new FlowDefinition(
                "",
                "",
                List.of(),
                steps,
                onFailure.map(list -> sometimesRecovering(options, list)).orElse(options));
    }

    private FlowOptions sometimesOnSameWorker(FlowOptions options) {
        return !random.limited() && random.chance(10) ? options.onSameWorker() : options;
    }

    /** Sometimes lets the flow recover, depending on a result of the failure steps. */
    private FlowOptions sometimesRecovering(FlowOptions options, StepList onFailure) {
        if (random.chance(60)) {
            return options;
        }
        return new FlowOptions(
                options.variables(),
                options.onFailure(),
                options.failureFlow(),
                options.timeout(),
                options.priority(),
                options.concurrency(),
                options.inputSchema(),
                options.undeclared(),
                options.cache(),
                options.callers(),
                options.sameWorker(),
                options.env(),
                Optional.of(random.value(atItsEnd(onFailure, Visible.NOTHING))),
                options.triggers());
    }

    /** The flows that it runs as a part of itself. */
    Map<String, FlowDefinition> subFlows() {
        return subFlows;
    }

    private FlowDefinition subFlow(int nesting) {
        StepList steps = list(nesting, Visible.NOTHING);
        Optional<StepList> onFailure =
                random.chance(25) ? Optional.of(list(NESTING_MAX, Visible.NOTHING)) : Optional.empty();
        return new FlowDefinition(
                "",
                "",
                List.of(),
                steps,
                sometimesOnSameWorker(FlowOptions.NONE
                        .change()
                        .onFailure(onFailure)
                        .failureFlow(
                                random.chance(15)
                                        ? Optional.of(FailureFlow.at("other", FailureFlow.Given.FAILURE))
                                        : Optional.empty())
                        .timeout(random.chance(20) ? Optional.of(Duration.ofMinutes(1)) : Optional.empty())
                        .undeclared(FlowOptions.Undeclared.KEPT)
                        .build()));
    }

    private StepList list(int nesting, Visible visible) {
        List<Step> steps = new ArrayList<>();
        Map<String, Set<String>> before = new LinkedHashMap<>();
        int size = random.nextInt(STEPS_MAX + 1);
        for (int i = 0; i < size; i++) {
            if (steps.size() > 1 && random.chance(15)) {
                Step early = early("s" + ids++, steps, visible);
                steps.add(early);
                before.put(early.id(), Set.of());
                continue;
            }
            List<String> needs = needs(steps);
            Set<String> ended = new LinkedHashSet<>(needs);
            needs.forEach(need -> ended.addAll(before.getOrDefault(need, Set.of())));
            String id = "s" + ids++;
            StepAction action = sometimesHooked(action(id, nesting, visible.with(ended)), visible.with(ended));
            steps.add(new Step(id, needs, action, policies.policy(visible.with(ended), action)));
            Set<String> after = new LinkedHashSet<>(ended);
            branchTasks(action, after);
            before.put(id, after);
        }
        Set<String> all = new LinkedHashSet<>(before.keySet());
        before.values().forEach(all::addAll);
        Optional<Template> output = random.chance(30) ? Optional.of(random.value(visible.with(all))) : Optional.empty();
        return new StepList(steps, output);
    }

    private List<String> needs(List<Step> earlier) {
        if (earlier.isEmpty() || random.chance(20)) {
            return List.of();
        }
        if (random.chance(60)) {
            return List.of(earlier.getLast().id());
        }
        return earlier.stream().filter(step -> random.chance(50)).map(Step::id).toList();
    }

    /**
     * Creates a step that need not wait for all steps it needs. Steps after it read nothing that may still be running.
     */
    private Step early(String id, List<Step> earlier, Visible visible) {
        List<String> needs =
                earlier.stream().filter(step -> random.chance(70)).map(Step::id).toList();
        if (needs.isEmpty()) {
            needs = List.of(earlier.getFirst().id(), earlier.getLast().id());
        }
        StepAction action = random.chance(70) ? tasks.task(visible) : new StepAction.Compute(random.value(visible));
        Template condition = earlyCondition(needs, earlier);
        StepPolicy policy = random.chance(80) ? StepPolicy.NONE : Model.onFailure(StepPolicy.OnFailure.CONTINUE);
        return new Step(id, needs, action, policy.beginningIf(Optional.of(condition)));
    }

    /** A condition that holds when a needed step, or a certain iteration of a loop in progress, has ended. */
    private Template earlyCondition(List<String> needs, List<Step> earlier) {
        List<String> loops = earlier.stream()
                .filter(step -> needs.contains(step.id()) && step.action() instanceof StepAction.ForEach)
                .map(Step::id)
                .toList();
        if (!loops.isEmpty() && random.chance(60)) {
            String loop = random.pick(loops);
            return RandomValues.template(
                    "${{ conductor.fork_ready(\"%1$s\", conductor.member(conductor.forked_states(\"%1$s\"), \"t%2$d\")) }}"
                            .formatted(loop, random.nextInt(3)),
                    WITH_FUNCTIONS);
        }
        return random.chance(80)
                ? RandomValues.template("${{ steps." + random.pick(needs) + "?.result }}")
                : new Template.Constant(JsonValue.of(random.nextInt(2)));
    }

    private StepAction action(String id, int nesting, Visible visible) {
        int roll = nesting == NESTING_MAX ? 0 : random.nextInt(100);
        if (roll < 50) {
            return tasks.plain(visible);
        }
        if (roll < 66) {
            return loop(id, nesting, visible);
        }
        if (roll < 74) {
            return repeat(nesting, visible);
        }
        if (roll < 84) {
            return parallel(nesting, visible);
        }
        return roll < 95 ? choice(nesting, visible) : inner(nesting, visible);
    }

    /** Hooks of a loop of one task surround each task. */
    private StepAction sometimesHooked(StepAction action, Visible visible) {
        boolean canBe = RandomPolicies.holdsSteps(action) || action instanceof StepAction.ChildRun;
        boolean ofOneTask = action instanceof StepAction.ForEach loop && loop.single();
        boolean endsAround = action instanceof StepAction.Parallel parallel
                && parallel.stopped().isPresent();
        return canBe && !ofOneTask && !endsAround && random.chance(12) ? tasks.hooked(action, visible) : action;
    }

    /** Collects the steps inside branches, whose results can be read after the branches have ended. */
    private static void branchTasks(StepAction action, Set<String> ids) {
        List<StepList> branches = switch (action) {
            case StepAction.Hooked hooked -> {
                branchTasks(hooked.run(), ids);
                yield List.of();
            }
            case StepAction.Switch choice ->
                Stream.concat(choice.cases().stream().map(StepAction.Case::steps), choice.otherwise().stream())
                        .toList();
            case StepAction.Parallel parallel ->
                parallel.branches().stream().map(StepAction.Branch::steps).toList();
            default -> List.of();
        };
        for (StepList branch : branches) {
            for (Step step : branch.steps()) {
                if (step.action() instanceof StepAction.Task) {
                    ids.add(step.id());
                }
                branchTasks(step.action(), ids);
            }
        }
    }

    /** @param body of the loop, at whose end its condition is looked at */
    private LoopOptions options(int parallelism, StepList body, Visible visible) {
        return options(
                parallelism,
                new Template.Constant(random.chance(60) ? JsonValue.TRUE : JsonValue.FALSE),
                body,
                visible);
    }

    /** Creates options of a loop over items, each of which may say whether its failure is skipped. */
    private LoopOptions optionsOverItems(int parallelism, StepList body, Visible visible) {
        return random.chance(70)
                ? options(parallelism, body, visible)
                : options(
                        parallelism,
                        RandomValues.template(
                                random.chance(70)
                                        ? "${{ item?.optional }}"
                                        : random.chance(50) ? "${{ item.optional }}" : "${{ item }}"),
                        body,
                        visible);
    }

    private LoopOptions options(int parallelism, Template skipFailures, StepList body, Visible visible) {
        if (skipFailures instanceof Template.Constant && random.chance(60)) {
            return LoopOptions.DEFAULT;
        }
        return new LoopOptions(
                skipFailures,
                parallelism == 1 && random.chance(30) ? Optional.of(breakIf(body, visible)) : Optional.empty(),
                random.chance(20) ? Optional.of(random.name(visible)) : Optional.empty(),
                random.chance(30) ? OptionalInt.of(1 + random.nextInt(2)) : OptionalInt.empty());
    }

    private Template breakIf(StepList body, Visible visible) {
        return switch (random.nextInt(4)) {
            case 0 -> RandomValues.template("${{ results_so_far[0] }}");
            case 1 -> random.value(atItsEnd(body, visible));
            default -> Model.result();
        };
    }

    /** What can be read where the steps of a list have ended. */
    private static Visible atItsEnd(StepList body, Visible visible) {
        Set<String> ids = new LinkedHashSet<>();
        for (Step step : body.steps()) {
            ids.add(step.id());
            branchTasks(step.action(), ids);
        }
        return visible.with(ids);
    }

    private StepAction repeat(int nesting, Visible visible) {
        Visible inside = visible.inLoop(1);
        StepList body = list(nesting + 1, inside);
        boolean first = random.chance(30);
        Template condition = random.chance(50) ? Model.result() : random.value(first ? inside : atItsEnd(body, inside));
        return new StepAction.While(condition, first, 1 + random.nextInt(4), body, options(1, body, inside));
    }

    private StepAction parallel(int nesting, Visible visible) {
        List<StepAction.Branch> branches = new ArrayList<>();
        boolean named = random.chance(30);
        int parallelism = 1 + random.nextInt(3);
        Visible inside = visible.inBranch(parallelism);
        for (int i = random.nextInt(4); i > 0; i--) {
            branches.add(
                    new StepAction.Branch(named ? "branch " + i : "", list(nesting + 1, inside), random.chance(30)));
        }
        return new StepAction.Parallel(
                branches, parallelism, random.chance(50) ? Optional.of(random.extent(visible)) : Optional.empty());
    }

    private StepAction inner(int nesting, Visible visible) {
        FlowDefinition flow = subFlow(nesting + 1);
        Template input = Template.object(Map.of(
                "n",
                random.value(visible),
                "mode",
                random.value(visible),
                "items",
                Template.array(RandomValues.numbers(random.nextInt(3)))));
        if (random.chance(40)) {
            return new StepAction.InlineFlow(flow, input);
        }
        String path = "flow" + ids++;
        subFlows.put(path, flow);
        return new StepAction.SubFlow(path, input);
    }

    /**
     * Creates a loop.
     *
     * @param id of the loop, and of the single step of its body if it has one
     */
    private StepAction loop(String id, int nesting, Visible visible) {
        Optional<Template> computed = random.chance(15) ? Optional.of(random.parallelism(visible)) : Optional.empty();
        int parallelism = computed.isPresent() ? FlowLimits.PARALLELISM_MAX : 1 + random.nextInt(3);
        if (random.chance(30)) {
            Visible inside = visible.inLoop(parallelism);
            StepAction action =
                    random.chance(20) ? tasks.hooked(inside) : tasks.sometimesOverridden(tasks.task(inside), inside);
            StepList body = new StepList(List.of(new Step(id, List.of(), action)), Optional.empty());
            return new StepAction.ForEach(
                    random.items(visible),
                    parallelism,
                    computed,
                    body,
                    true,
                    optionsOverItems(parallelism, StepList.EMPTY, inside));
        }
        Visible inside = visible.inLoop(parallelism);
        StepList body = list(nesting + 1, inside);
        return new StepAction.ForEach(
                random.items(visible), parallelism, computed, body, false, optionsOverItems(parallelism, body, inside));
    }

    private StepAction choice(int nesting, Visible visible) {
        List<StepAction.Case> cases = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            StepAction.Test test = random.chance(50)
                    ? new StepAction.Test.Equals(random.value(visible))
                    : new StepAction.Test.When(random.value(visible));
            cases.add(new StepAction.Case(test, list(nesting + 1, visible)));
        }
        Optional<StepList> otherwise = random.chance(60) ? Optional.of(list(nesting + 1, visible)) : Optional.empty();
        return new StepAction.Switch(Optional.of(random.value(visible)), cases, otherwise);
    }
}
