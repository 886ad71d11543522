package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Generates random steps that hold no other steps, above all tasks. */
final class RandomTasks {
    private final RandomValues random;

    RandomTasks(RandomValues random) {
        this.random = random;
    }

    /** Creates a step of any kind that holds no other steps. */
    StepAction plain(Visible visible) {
        return switch (random.nextInt(12)) {
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
            case 7 ->
                new StepAction.Publish(
                        new Template.Constant(JsonValue.ofString("conductor:random:said")), random.value(visible));
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

    /** Lets a task inside a loop sometimes take its options from the item. */
    StepAction.Task sometimesOverridden(StepAction.Task task, Visible visible) {
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

    /** Creates a task that is surrounded by hooks. */
    StepAction hooked(Visible visible) {
        return hooked(random.chance(60) ? retried(task(visible)) : task(visible), visible);
    }

    /** Surrounds a step with one to three hooks. */
    StepAction hooked(StepAction run, Visible visible) {
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
        return new StepAction.Task(
                new TaskTarget.ScriptPath(RandomFlow.SCRIPT), Template.object(input), TaskOptions.DEFAULT);
    }

    StepAction.Task task(Visible visible) {
        Map<String, Template> input = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            input.put("p" + i, random.value(visible));
        }
        return new StepAction.Task(
                new TaskTarget.ScriptPath(RandomFlow.SCRIPT),
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
}
