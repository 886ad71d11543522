package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.conductor.ConductorFunctions;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPolicy;
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
    private final RandomPolicies policies;
    private final Map<String, FlowDefinition> subFlows = new LinkedHashMap<>();

    private int ids;

    RandomFlow(Random random) {
        this.random = new RandomValues(random);
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
                Optional.of(random.value(atItsEnd(onFailure, Visible.NOTHING))));
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
                                        ? Optional.of(new FailureFlow("other", FailureFlow.Given.FAILURE))
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
        StepAction action = random.chance(70) ? task(visible) : new StepAction.Compute(random.value(visible));
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
            return plain(visible);
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

    private StepAction plain(Visible visible) {
        return switch (random.nextInt(11)) {
            case 0 -> new StepAction.Compute(random.value(visible));
            case 1 -> new StepAction.Wait(waitFor(visible));
            case 2 ->
                new StepAction.StartRun(
                        new Template.Constant(JsonValue.ofString("other")), Template.Constant.EMPTY_OBJECT);
            case 3 -> retried(task(visible));
            case 4 -> hooked(visible);
            case 6 -> poll(visible);
            case 5 ->
                new StepAction.ChildRun(
                        random.chance(90)
                                ? new Template.Constant(JsonValue.ofString("other"))
                                : RandomValues.template(
                                        random.chance(50) ? "${{ inputs.mode }}" : "${{ inputs.items }}"),
                        Template.object(Map.of("p", random.value(visible))));
            default -> sometimesOverridden(task(visible), visible);
        };
    }

    private StepAction poll(Visible visible) {
        return new StepAction.HttpPoll(
                new StepAction.Task(
                        new TaskTarget.HandlerName("millrace.http"),
                        Template.object(Map.of("url", random.value(visible))),
                        TaskOptions.DEFAULT),
                random.chance(60) ? Model.result() : random.value(visible),
                random.chance(20)
                        ? RandomValues.template("${{ retry }}")
                        : new Template.Constant(JsonValue.of(random.chance(70) ? 5 : 0)),
                1 + random.nextInt(4));
    }

    private StepAction.Task sometimesOverridden(StepAction.Task task, Visible visible) {
        return visible.loop() && random.chance(30)
                ? new StepAction.Task(
                        task.target(),
                        task.input(),
                        task.options().overriddenBy(Optional.of(RandomValues.template("${{ item?.overrides }}"))))
                : task;
    }

    private WaitFor waitFor(Visible visible) {
        return random.chance(50)
                ? new WaitFor.Delay(new Template.Constant(JsonValue.of(5)))
                : new WaitFor.Events(
                        EventKind.SIGNAL,
                        new Template.Constant(JsonValue.ofString("go")),
                        1,
                        Template.object(Map.of("title", random.value(visible))),
                        Optional.empty(),
                        WaitEnd.FAIL,
                        WaitEnd.FAIL);
    }

    /** Hooks of a loop of one task surround each task. */
    private StepAction sometimesHooked(StepAction action, Visible visible) {
        boolean canBe = RandomPolicies.holdsSteps(action) || action instanceof StepAction.ChildRun;
        boolean ofOneTask = action instanceof StepAction.ForEach loop && loop.single();
        boolean endsAround = action instanceof StepAction.Parallel parallel
                && parallel.stopped().isPresent();
        return canBe && !ofOneTask && !endsAround && random.chance(12) ? hooked(action, visible) : action;
    }

    private StepAction hooked(Visible visible) {
        return hooked(random.chance(60) ? retried(task(visible)) : task(visible), visible);
    }

    private StepAction hooked(StepAction run, Visible visible) {
        int which = 1 + random.nextInt(7);
        return new StepAction.Hooked(
                run,
                (which & 1) > 0
                        ? Optional.of(input(visible, "${{ retry }}: ${{ error.message }} of ${{ error.step_id }}"))
                        : Optional.empty(),
                (which & 2) > 0 ? Optional.of(unlimited(task(visible))) : Optional.empty(),
                (which & 4) > 0 ? Optional.of(input(visible, "${{ result }}")) : Optional.empty());
    }

    /** Removes the limit of a hook. */
    private static StepAction.Task unlimited(StepAction.Task task) {
        return new StepAction.Task(task.target(), task.input(), TaskOptions.DEFAULT);
    }

    private StepAction.Task input(Visible visible, String text) {
        Map<String, Template> input = new LinkedHashMap<>();
        input.put("p", RandomValues.template(text));
        input.put("q", random.value(visible));
        return new StepAction.Task(new TaskTarget.ScriptPath(SCRIPT), Template.object(input), TaskOptions.DEFAULT);
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

    private StepAction.Task task(Visible visible) {
        Map<String, Template> input = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            input.put("p" + i, random.value(visible));
        }
        return new StepAction.Task(
                new TaskTarget.ScriptPath(SCRIPT),
                Template.object(input),
                new TaskOptions(
                        random.chance(90) || visible.steps().isEmpty()
                                ? Optional.empty()
                                : Optional.of(RandomValues.template(
                                        "tag-${{ steps." + random.pick(visible.steps()) + ".result }}")),
                        0,
                        Optional.empty(),
                        RetryPolicy.NONE,
                        random.chance(90)
                                ? Optional.empty()
                                : Optional.of(
                                        new TaskOptions.Cache(Duration.ofHours(1), Optional.of(random.value(visible)))),
                        false,
                        limit(visible)));
    }

    private Optional<TaskOptions.Limit> limit(Visible visible) {
        if (!random.limited() || random.chance(60)) {
            return Optional.empty();
        }
        OptionalInt max = random.chance(50) ? OptionalInt.of(1 + random.nextInt(3)) : OptionalInt.empty();
        Optional<JobLimit.Rate> rate = max.isEmpty() || random.chance(30)
                ? Optional.of(new JobLimit.Rate(1 + random.nextInt(3), Duration.ofMinutes(1)))
                : Optional.empty();
        return Optional.of(new TaskOptions.Limit(
                random.chance(70) ? Optional.of(random.value(visible)) : Optional.empty(), max, rate));
    }

    /** The machine performs the retries of a task if they depend on a condition. */
    private StepAction.Task retried(StepAction.Task task) {
        Duration delay = random.chance(30) ? Duration.ofSeconds(1) : Duration.ZERO;
        RetryPolicy retry = new RetryPolicy(1 + random.nextInt(2), delay, 1, RetryPolicy.DELAY_MAX_DEFAULT, 0);
        TaskOptions once = task.options();
        return new StepAction.Task(
                task.target(),
                task.input(),
                new TaskOptions(once.tag(), 0, Optional.empty(), retry, once.cache(), false, once.limit()));
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
            StepAction action = random.chance(20) ? hooked(inside) : sometimesOverridden(task(inside), inside);
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
