package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
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
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
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

    private final Random random;
    private final Map<String, FlowDefinition> subFlows = new LinkedHashMap<>();
    /** Whether steps have limits; such steps are in no affinity group. */
    private final boolean limited;

    private int ids;

    RandomFlow(Random random) {
        this.random = random;
        this.limited = chance(40);
    }

    FlowDefinition next() {
        StepList steps = list(1, Visible.NOTHING);
        Optional<StepList> onFailure =
                chance(20) ? Optional.of(list(NESTING_MAX, atItsEnd(steps, Visible.NOTHING))) : Optional.empty();
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
        return !limited && chance(10) ? options.onSameWorker() : options;
    }

    /** Sometimes lets the flow recover, depending on a result of the failure steps. */
    private FlowOptions sometimesRecovering(FlowOptions options, StepList onFailure) {
        if (chance(60)) {
            return options;
        }
        return FlowOptions.NONE
                .change()
                .variables(options.variables())
                .onFailure(options.onFailure())
                .failureFlow(options.failureFlow())
                .timeout(options.timeout())
                .priority(options.priority())
                .concurrency(options.concurrency())
                .inputSchema(options.inputSchema())
                .undeclared(options.undeclared())
                .cache(options.cache())
                .callers(options.callers())
                .sameWorker(options.sameWorker())
                .env(options.env())
                .recovers(Optional.of(value(atItsEnd(onFailure, Visible.NOTHING))))
                .build();
    }

    /** The sub-flows that the flow runs. */
    Map<String, FlowDefinition> subFlows() {
        return subFlows;
    }

    private FlowDefinition subFlow(int nesting) {
        StepList steps = list(nesting, Visible.NOTHING);
        Optional<StepList> onFailure = chance(25) ? Optional.of(list(NESTING_MAX, Visible.NOTHING)) : Optional.empty();
        return new FlowDefinition(
                "",
                "",
                List.of(),
                steps,
                sometimesOnSameWorker(FlowOptions.NONE
                        .change()
                        .onFailure(onFailure)
                        .failureFlow(
                                chance(15)
                                        ? Optional.of(new FailureFlow("other", FailureFlow.Given.FAILURE))
                                        : Optional.empty())
                        .timeout(chance(20) ? Optional.of(Duration.ofMinutes(1)) : Optional.empty())
                        .undeclared(FlowOptions.Undeclared.KEPT)
                        .build()));
    }

    private StepList list(int nesting, Visible visible) {
        List<Step> steps = new ArrayList<>();
        Map<String, Set<String>> before = new LinkedHashMap<>();
        int size = random.nextInt(STEPS_MAX + 1);
        for (int i = 0; i < size; i++) {
            if (steps.size() > 1 && chance(15)) {
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
            steps.add(new Step(id, needs, action, policy(visible.with(ended), action)));
            Set<String> after = new LinkedHashSet<>(ended);
            branchTasks(action, after);
            before.put(id, after);
        }
        Set<String> all = new LinkedHashSet<>(before.keySet());
        before.values().forEach(all::addAll);
        Optional<Template> output = chance(30) ? Optional.of(value(visible.with(all))) : Optional.empty();
        return new StepList(steps, output);
    }

    private List<String> needs(List<Step> earlier) {
        if (earlier.isEmpty() || chance(20)) {
            return List.of();
        }
        if (chance(60)) {
            return List.of(earlier.getLast().id());
        }
        return earlier.stream().filter(step -> chance(50)).map(Step::id).toList();
    }

    /**
     * Creates a step that need not wait for all steps it needs. Steps after it read nothing that may still be running.
     */
    private Step early(String id, List<Step> earlier, Visible visible) {
        List<String> needs =
                earlier.stream().filter(step -> chance(70)).map(Step::id).toList();
        if (needs.isEmpty()) {
            needs = List.of(earlier.getFirst().id(), earlier.getLast().id());
        }
        StepAction action = chance(70) ? task(visible) : new StepAction.Compute(value(visible));
        Template condition = earlyCondition(needs, earlier);
        StepPolicy policy = chance(80) ? StepPolicy.NONE : Model.onFailure(StepPolicy.OnFailure.CONTINUE);
        return new Step(id, needs, action, policy.beginningIf(Optional.of(condition)));
    }

    /** A condition that holds when a needed step, or a certain iteration of a loop in progress, has ended. */
    private Template earlyCondition(List<String> needs, List<Step> earlier) {
        List<String> loops = earlier.stream()
                .filter(step -> needs.contains(step.id()) && step.action() instanceof StepAction.ForEach)
                .map(Step::id)
                .toList();
        if (!loops.isEmpty() && chance(60)) {
            String loop = pick(loops);
            return template(
                    "${{ conductor.fork_ready(\"%1$s\", conductor.member(conductor.forked_states(\"%1$s\"), \"t%2$d\")) }}"
                            .formatted(loop, random.nextInt(3)),
                    WITH_FUNCTIONS);
        }
        return chance(80)
                ? template("${{ steps." + pick(needs) + "?.result }}")
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
            case 0 -> new StepAction.Compute(value(visible));
            case 1 -> new StepAction.Wait(waitFor(visible));
            case 2 ->
                new StepAction.StartRun(
                        new Template.Constant(JsonValue.ofString("other")), Template.Constant.EMPTY_OBJECT);
            case 3 -> retried(task(visible));
            case 4 -> hooked(visible);
            case 6 -> poll(visible);
            case 5 ->
                new StepAction.ChildRun(
                        chance(90)
                                ? new Template.Constant(JsonValue.ofString("other"))
                                : template(chance(50) ? "${{ inputs.mode }}" : "${{ inputs.items }}"),
                        Template.object(Map.of("p", value(visible))));
            default -> sometimesOverridden(task(visible), visible);
        };
    }

    private StepAction poll(Visible visible) {
        return new StepAction.HttpPoll(
                new StepAction.Task(
                        new StepAction.TaskTarget.HandlerName("millrace.http"),
                        Template.object(Map.of("url", value(visible))),
                        TaskOptions.DEFAULT),
                chance(60) ? Model.result() : value(visible),
                new Template.Constant(JsonValue.of(chance(70) ? 5 : 0)),
                1 + random.nextInt(4));
    }

    private StepAction.Task sometimesOverridden(StepAction.Task task, Visible visible) {
        return visible.loop() && chance(30)
                ? new StepAction.Task(
                        task.target(),
                        task.input(),
                        task.options().overriddenBy(Optional.of(template("${{ item?.overrides }}"))))
                : task;
    }

    private StepAction.WaitFor waitFor(Visible visible) {
        return chance(50)
                ? new StepAction.WaitFor.Delay(new Template.Constant(JsonValue.of(5)))
                : new StepAction.WaitFor.Events(
                        StepAction.EventKind.SIGNAL,
                        new Template.Constant(JsonValue.ofString("go")),
                        1,
                        Template.object(Map.of("title", value(visible))),
                        Optional.empty(),
                        StepAction.WaitEnd.FAIL,
                        StepAction.WaitEnd.FAIL);
    }

    /** Hooks of a loop of one task surround each task. */
    private StepAction sometimesHooked(StepAction action, Visible visible) {
        boolean canBe = holdsSteps(action) || action instanceof StepAction.ChildRun;
        boolean ofOneTask = action instanceof StepAction.ForEach loop && loop.single();
        boolean endsAround = action instanceof StepAction.Parallel parallel
                && parallel.stopped().isPresent();
        return canBe && !ofOneTask && !endsAround && chance(12) ? hooked(action, visible) : action;
    }

    private StepAction hooked(Visible visible) {
        return hooked(chance(60) ? retried(task(visible)) : task(visible), visible);
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
        input.put("p", template(text));
        input.put("q", value(visible));
        return new StepAction.Task(
                new StepAction.TaskTarget.ScriptPath(SCRIPT), Template.object(input), TaskOptions.DEFAULT);
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

    private StepPolicy policy(Visible visible, StepAction action) {
        return around(visible, action).onSameWorker(!limited && holdsSteps(action) && chance(15));
    }

    private static boolean holdsSteps(StepAction action) {
        return switch (action) {
            case StepAction.ForEach _,
                    StepAction.While _,
                    StepAction.Parallel _,
                    StepAction.Switch _,
                    StepAction.SubFlow _,
                    StepAction.InlineFlow _ -> true;
            case StepAction.Hooked hooked -> holdsSteps(hooked.run());
            case StepAction.Task _,
                    StepAction.StartRun _,
                    StepAction.ChildRun _,
                    StepAction.Compute _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _,
                    StepAction.HttpPoll _,
                    StepAction.Wait _ -> false;
        };
    }

    private static Optional<StepAction.Task> hookedTask(StepAction action) {
        return action instanceof StepAction.Hooked hooked && hooked.run() instanceof StepAction.Task task
                ? Optional.of(task)
                : Optional.empty();
    }

    private StepPolicy around(Visible visible, StepAction action) {
        if (action instanceof StepAction.Task task && !task.options().retry().equals(RetryPolicy.NONE)) {
            return Model.retryIf(chance(60) ? template("${{ error.message }}") : value(visible));
        }
        boolean isTried = hookedTask(action)
                .filter(task -> !task.options().retry().equals(RetryPolicy.NONE))
                .isPresent();
        if (isTried && chance(30)) {
            return Model.retryIf(chance(60) ? template("${{ error.message }}") : value(visible));
        }
        if (chance(4)) {
            return chance(40)
                    ? before(Optional.of(value(visible)), Optional.empty())
                    : before(Optional.empty(), Optional.of(delay(visible)));
        }
        if (action instanceof StepAction.HttpPoll && chance(30)) {
            StepPolicy.OnFailure onFailure = chance(50) ? StepPolicy.OnFailure.FAIL : StepPolicy.OnFailure.CONTINUE;
            return Model.timeout(Duration.ofMinutes(1), onFailure, RetryPolicy.NONE);
        }
        if (!chance(20)) {
            return StepPolicy.NONE;
        }
        boolean container = !(action instanceof StepAction.Task
                || hookedTask(action).isPresent()
                || action instanceof StepAction.Compute
                || action instanceof StepAction.Wait
                || action instanceof StepAction.HttpPoll
                || action instanceof StepAction.StartRun);
        int roll = random.nextInt(container ? 8 : 5);
        StepPolicy.Extent extent = extent(visible);
        Template when = condition(visible);
        return switch (roll) {
            case 0 ->
                Model.policy(
                        Optional.of(new StepPolicy.Skip(value(visible), value(visible))),
                        List.of(),
                        StepPolicy.OnFailure.FAIL,
                        RetryPolicy.NONE);
            case 1 -> Model.onFailure(StepPolicy.OnFailure.CONTINUE);
            case 2 -> Model.onFailure(StepPolicy.OnFailure.FAIL_AT_END);
            case 3 -> Model.stop(when, extent);
            case 4 -> Model.stop(when, extent, error(visible));
            case 5 -> {
                StepPolicy retry = Model.retry(1 + random.nextInt(2), Duration.ZERO);
                yield action instanceof StepAction.Hooked && chance(50)
                        ? retry.withRetryIf(Optional.of(chance(60) ? template("${{ error.message }}") : value(visible)))
                        : retry;
            }
            case 6 -> Model.timeout(Duration.ofMinutes(1), StepPolicy.OnFailure.FAIL, RetryPolicy.NONE);
            default ->
                chance(50)
                        ? Model.timeout(Duration.ofMinutes(1), StepPolicy.OnFailure.CONTINUE, RetryPolicy.NONE)
                        : Model.timeout(
                                Duration.ofMinutes(1),
                                StepPolicy.OnFailure.FAIL,
                                Model.retry(1, Duration.ZERO).retry());
        };
    }

    private static StepPolicy before(Optional<Template> mock, Optional<Template> delay) {
        return StepPolicy.NONE.change().mock(mock).delay(delay).build();
    }

    /** Seconds to wait before a step; occasionally zero or not a number. */
    private Template delay(Visible visible) {
        Template computed = value(visible);
        // A constant that is not a duration would make the definition invalid.
        return chance(90) || computed instanceof Template.Constant
                ? new Template.Constant(JsonValue.of(chance(70) ? 3 : 0))
                : computed;
    }

    private Template error(Visible visible) {
        Template message = value(visible);
        return chance(50) ? message : Template.object(Map.of("message", message, "result", Model.result()));
    }

    private StepPolicy.Extent extent(Visible visible) {
        List<StepPolicy.Extent> extents = visible.extents();
        return extents.get(random.nextInt(extents.size()));
    }

    /** A condition on a result, which may also read earlier results. */
    private Template condition(Visible visible) {
        int roll = random.nextInt(100);
        if (roll < 35) {
            return Model.result();
        }
        return roll < 60 ? new Template.Constant(JsonValue.TRUE) : value(visible);
    }

    /**
     * Creates options of a loop.
     *
     * @param body of the loop; its break condition can read what the body's steps return
     */
    private LoopOptions options(int parallelism, StepList body, Visible visible) {
        return options(
                parallelism, new Template.Constant(chance(60) ? JsonValue.TRUE : JsonValue.FALSE), body, visible);
    }

    /** Creates options of a loop over items, each of which may say whether its failure is skipped. */
    private LoopOptions optionsOverItems(int parallelism, StepList body, Visible visible) {
        return chance(70)
                ? options(parallelism, body, visible)
                : options(
                        parallelism,
                        template(
                                chance(70)
                                        ? "${{ item?.optional }}"
                                        : chance(50) ? "${{ item.optional }}" : "${{ item }}"),
                        body,
                        visible);
    }

    private LoopOptions options(int parallelism, Template skipFailures, StepList body, Visible visible) {
        if (skipFailures instanceof Template.Constant && chance(60)) {
            return LoopOptions.DEFAULT;
        }
        return new LoopOptions(
                skipFailures,
                parallelism == 1 && chance(30) ? Optional.of(breakIf(body, visible)) : Optional.empty(),
                chance(20) ? Optional.of(name(visible)) : Optional.empty(),
                chance(30) ? OptionalInt.of(1 + random.nextInt(2)) : OptionalInt.empty());
    }

    private Template breakIf(StepList body, Visible visible) {
        return switch (random.nextInt(4)) {
            case 0 -> template("${{ results_so_far[0] }}");
            case 1 -> value(atItsEnd(body, visible));
            default -> Model.result();
        };
    }

    private Template name(Visible visible) {
        return visible.steps().isEmpty() || chance(50)
                ? template("k${{ index }}")
                : template("${{ steps." + pick(visible.steps()) + ".result }}-${{ index }}");
    }

    /** What expressions can read after the steps of a list have ended. */
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
        boolean first = chance(30);
        Template condition = chance(50) ? Model.result() : value(first ? inside : atItsEnd(body, inside));
        return new StepAction.While(condition, first, 1 + random.nextInt(4), body, options(1, body, inside));
    }

    private StepAction parallel(int nesting, Visible visible) {
        List<StepAction.Branch> branches = new ArrayList<>();
        boolean named = chance(30);
        int parallelism = 1 + random.nextInt(3);
        Visible inside = visible.inBranch(parallelism);
        for (int i = random.nextInt(4); i > 0; i--) {
            branches.add(new StepAction.Branch(named ? "branch " + i : "", list(nesting + 1, inside), chance(30)));
        }
        return new StepAction.Parallel(
                branches, parallelism, chance(50) ? Optional.of(extent(visible)) : Optional.empty());
    }

    private StepAction inner(int nesting, Visible visible) {
        FlowDefinition flow = subFlow(nesting + 1);
        Template input = Template.object(Map.of(
                "n", value(visible), "mode", value(visible), "items", Template.array(numbers(random.nextInt(3)))));
        if (chance(40)) {
            return new StepAction.InlineFlow(flow, input);
        }
        String path = "flow" + ids++;
        subFlows.put(path, flow);
        return new StepAction.SubFlow(path, input);
    }

    private StepAction.Task task(Visible visible) {
        Map<String, Template> input = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            input.put("p" + i, value(visible));
        }
        return new StepAction.Task(
                new StepAction.TaskTarget.ScriptPath(SCRIPT),
                Template.object(input),
                new TaskOptions(
                        chance(90) || visible.steps().isEmpty()
                                ? Optional.empty()
                                : Optional.of(template("tag-${{ steps." + pick(visible.steps()) + ".result }}")),
                        0,
                        Optional.empty(),
                        RetryPolicy.NONE,
                        chance(90)
                                ? Optional.empty()
                                : Optional.of(new TaskOptions.Cache(Duration.ofHours(1), Optional.of(value(visible)))),
                        false,
                        limit(visible)));
    }

    private Optional<TaskOptions.Limit> limit(Visible visible) {
        if (!limited || chance(60)) {
            return Optional.empty();
        }
        OptionalInt max = chance(50) ? OptionalInt.of(1 + random.nextInt(3)) : OptionalInt.empty();
        Optional<JobLimit.Rate> rate = max.isEmpty() || chance(30)
                ? Optional.of(new JobLimit.Rate(1 + random.nextInt(3), Duration.ofMinutes(1)))
                : Optional.empty();
        return Optional.of(
                new TaskOptions.Limit(chance(70) ? Optional.of(value(visible)) : Optional.empty(), max, rate));
    }

    /** The machine performs the retries of a task if they depend on a condition. */
    private StepAction.Task retried(StepAction.Task task) {
        Duration delay = chance(30) ? Duration.ofSeconds(1) : Duration.ZERO;
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
        Optional<Template> computed = chance(15) ? Optional.of(parallelism(visible)) : Optional.empty();
        int parallelism = computed.isPresent() ? FlowLimits.PARALLELISM_MAX : 1 + random.nextInt(3);
        if (chance(30)) {
            Visible inside = visible.inLoop(parallelism);
            StepAction action = chance(20) ? hooked(inside) : sometimesOverridden(task(inside), inside);
            StepList body = new StepList(List.of(new Step(id, List.of(), action)), Optional.empty());
            return new StepAction.ForEach(
                    items(visible),
                    parallelism,
                    computed,
                    body,
                    true,
                    optionsOverItems(parallelism, StepList.EMPTY, inside));
        }
        Visible inside = visible.inLoop(parallelism);
        StepList body = list(nesting + 1, inside);
        return new StepAction.ForEach(
                items(visible), parallelism, computed, body, false, optionsOverItems(parallelism, body, inside));
    }

    /** The number of iterations in progress; occasionally not a number. */
    private Template parallelism(Visible visible) {
        Template value = value(visible);
        return chance(70) || value instanceof Template.Constant
                ? template(visible.loop() && chance(50) ? "${{ index }}" : "${{ inputs.n }}")
                : value;
    }

    private Template items(Visible visible) {
        return switch (random.nextInt(visible.steps().isEmpty() ? 5 : 6)) {
            case 0 -> template("${{ inputs.items }}");
            case 5 -> template("${{ steps." + pick(visible.steps()) + ".result }}");
            case 1, 2 -> Template.array(named(random.nextInt(5)));
            default -> Template.array(numbers(random.nextInt(5)));
        };
    }

    /** Items with names and settings, like those of dynamic forks. */
    private List<Template> named(int size) {
        List<Template> named = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            named.add(new Template.Constant(
                    JsonValue.of("{\"ref\":\"t" + i + "\",\"optional\":" + chance(50) + overrides() + "}")));
        }
        return named;
    }

    private String overrides() {
        return switch (random.nextInt(6)) {
            case 0 -> ",\"overrides\":{\"timeout\":7,\"retry\":{\"phases\":[{\"max_retries\":2}]}}";
            case 1 -> ",\"overrides\":{\"timeout\":8}";
            case 2 -> limited ? ",\"overrides\":{\"limit\":{\"key\":\"" + OWN_LIMIT + "\",\"max\":2}}" : "";
            case 3 -> chance(20) ? ",\"overrides\":{\"timeout\":\"soon\"}" : ",\"overrides\":null";
            default -> "";
        };
    }

    private static List<Template> numbers(int size) {
        List<Template> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(new Template.Constant(JsonValue.of(i)));
        }
        return numbers;
    }

    private StepAction choice(int nesting, Visible visible) {
        List<StepAction.Case> cases = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            StepAction.Test test =
                    chance(50) ? new StepAction.Test.Equals(value(visible)) : new StepAction.Test.When(value(visible));
            cases.add(new StepAction.Case(test, list(nesting + 1, visible)));
        }
        Optional<StepList> otherwise = chance(60) ? Optional.of(list(nesting + 1, visible)) : Optional.empty();
        return new StepAction.Switch(Optional.of(value(visible)), cases, otherwise);
    }

    private Template value(Visible visible) {
        int roll = random.nextInt(100);
        if (roll < 40 && !visible.steps().isEmpty()) {
            String step = "steps." + pick(visible.steps()) + ".result";
            return template(
                    chance(70)
                            ? "${{ " + step + " }}"
                            : chance(97) ? "${{ " + step + "?.k }}" : "${{ " + step + ".k }}");
        }
        if (roll < 60 && visible.loop()) {
            return template(chance(50) ? "${{ item }}" : "${{ index }}");
        }
        return switch (random.nextInt(5)) {
            case 0 -> template("${{ inputs.mode }}");
            case 1 -> template("n=${{ inputs.n }} ${{ run.id }}");
            case 2 -> new Template.Constant(JsonValue.ofString("fast"));
            case 3 -> template(chance(3) ? "${{ inputs.absent }}" : "${{ inputs.items[0] }}");
            default -> new Template.Constant(JsonValue.of(random.nextInt(3)));
        };
    }

    private static Template template(String text) {
        return template(text, MillraceLanguage.INSTANCE);
    }

    private static Template template(String text, MillraceLanguage language) {
        return switch (Template.read(text, language)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
