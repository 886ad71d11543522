package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Random policies of the steps of a {@link RandomFlow}. */
final class RandomPolicies {
    private final RandomValues random;

    RandomPolicies(RandomValues random) {
        this.random = random;
    }

    StepPolicy policy(Visible visible, StepAction action) {
        return around(visible, action).onSameWorker(!random.limited() && holdsSteps(action) && random.chance(15));
    }

    static boolean holdsSteps(StepAction action) {
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
                    StepAction.Publish _,
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
            return Model.retryIf(
                    random.chance(60) ? RandomValues.template("${{ error.message }}") : random.value(visible));
        }
        boolean isTried = hookedTask(action)
                .filter(task -> !task.options().retry().equals(RetryPolicy.NONE))
                .isPresent();
        if (isTried && random.chance(30)) {
            return Model.retryIf(
                    random.chance(60) ? RandomValues.template("${{ error.message }}") : random.value(visible));
        }
        if (random.chance(4)) {
            return random.chance(40)
                    ? before(Optional.of(random.value(visible)), Optional.empty())
                    : before(Optional.empty(), Optional.of(random.delay(visible)));
        }
        if (action instanceof StepAction.HttpPoll && random.chance(30)) {
            StepPolicy.OnFailure onFailure =
                    random.chance(50) ? StepPolicy.OnFailure.FAIL : StepPolicy.OnFailure.CONTINUE;
            return Model.timeout(Duration.ofMinutes(1), onFailure, RetryPolicy.NONE);
        }
        if (!random.chance(20)) {
            return StepPolicy.NONE;
        }
        boolean container = !(action instanceof StepAction.Task
                || hookedTask(action).isPresent()
                || action instanceof StepAction.Compute
                || action instanceof StepAction.Wait
                || action instanceof StepAction.HttpPoll
                || action instanceof StepAction.StartRun
                || action instanceof StepAction.Publish);
        int roll = random.nextInt(container ? 8 : 5);
        StepPolicy.Extent extent = random.extent(visible);
        Template when = random.condition(visible);
        return switch (roll) {
            case 0 ->
                Model.policy(
                        Optional.of(new StepPolicy.Skip(random.value(visible), random.value(visible))),
                        List.of(),
                        StepPolicy.OnFailure.FAIL,
                        RetryPolicy.NONE);
            case 1 -> Model.onFailure(StepPolicy.OnFailure.CONTINUE);
            case 2 -> Model.onFailure(StepPolicy.OnFailure.FAIL_AT_END);
            case 3 -> Model.stop(when, extent);
            case 4 -> Model.stop(when, extent, random.error(visible));
            case 5 -> {
                StepPolicy retry = Model.retry(1 + random.nextInt(2), Duration.ZERO);
                yield action instanceof StepAction.Hooked && random.chance(50)
                        ? retry.withRetryIf(Optional.of(
                                random.chance(60)
                                        ? RandomValues.template("${{ error.message }}")
                                        : random.value(visible)))
                        : retry;
            }
            case 6 -> Model.timeout(Duration.ofMinutes(1), StepPolicy.OnFailure.FAIL, RetryPolicy.NONE);
            default ->
                random.chance(50)
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
}
