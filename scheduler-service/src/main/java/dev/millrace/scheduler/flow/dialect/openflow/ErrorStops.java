package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Check for early stops with an error inside branches or loops.
 *
 * <p>In Windmill, without a failure module, such a stop also ends all surrounding modules that run sequentially,
 * whatever their settings for failures. Here the stop is a failure like any other, and these settings apply.
 */
final class ErrorStops {
    private static final String RETRY = "retry";

    private final Reading reading;

    ErrorStops(Reading reading) {
        this.reading = reading;
    }

    /** Warns about settings of a module that take effect here but not in Windmill. */
    void check(Fields module, Actions.Action action, StepPolicy policy) {
        checkOwn(module, policy);
        if (reading.hasFailureModule() || listsInTurn(action.action()).noneMatch(ErrorStops::isIn)) {
            return;
        }
        if (policy.onFailure() == StepPolicy.OnFailure.CONTINUE) {
            warn(
                    module,
                    Policies.CONTINUE,
                    "A module inside ends early with an error_message: Windmill fails the flow anyway, here the flow continues.",
                    "Let that module fail with an error of its script, after which the flow continues in both, or remove "
                            + Policies.CONTINUE + ".");
        }
        if (!action.kind().isLoop() && !policy.retry().equals(RetryPolicy.NONE) && !isNamedInCondition(module)) {
            warn(
                    module,
                    RETRY,
                    "A module inside ends early with an error_message: Windmill does not retry, this server does.",
                    "Add retry_if: {expr: \"error.name !== 'EarlyStopError'\"} to " + RETRY + ".");
        }
    }

    /** Warns of an early stop of a module that continues on errors: in Windmill, the place of the module decides. */
    private void checkOwn(Fields module, StepPolicy policy) {
        if (policy.onFailure() == StepPolicy.OnFailure.CONTINUE && endsWithError(policy)) {
            warn(
                    module,
                    Policies.CONTINUE,
                    "An early stop with an error_message fails the flow here, whatever continue_on_error says; in Windmill the flow"
                            + " succeeds if this is its last module, and continues if it has a failure module.",
                    "Let the script fail instead, after which the flow continues in both, or remove "
                            + Policies.CONTINUE + ".");
        }
    }

    private static boolean endsWithError(StepPolicy policy) {
        return policy.stops().stream().anyMatch(stop -> stop.failure().isPresent());
    }

    private void warn(Fields module, String key, String message, String remedy) {
        reading.warn(module.find(key).map(SourceNode::mark).orElse(module.mark()), module.path(key), message, remedy);
    }

    /** Whether the condition of the retry mentions early stops. */
    private static boolean isNamedInCondition(Fields module) {
        return module.find(RETRY)
                .flatMap(retry -> retry.member("retry_if"))
                .flatMap(condition -> condition.member("expr"))
                .flatMap(expr -> expr instanceof SourceNode.Text text ? Optional.of(text.text()) : Optional.empty())
                .filter(expr -> expr.contains("EarlyStopError"))
                .isPresent();
    }

    private static boolean isIn(StepList list) {
        return list.steps().stream()
                .anyMatch(step -> endsWithError(step.policy())
                        || listsInTurn(step.action()).anyMatch(ErrorStops::isIn));
    }

    /** The lists inside an action that run sequentially and whose failure fails the action. */
    private static Stream<StepList> listsInTurn(StepAction action) {
        return switch (action) {
            case StepAction.Switch choice ->
                Stream.concat(choice.cases().stream().map(StepAction.Case::steps), choice.otherwise().stream());
            case StepAction.ForEach loop
            when loop.parallelism() == 1 && loop.computedParallelism().isEmpty() && !skipsFailures(loop.options()) ->
                Stream.of(loop.body());
            case StepAction.While loop when !skipsFailures(loop.options()) -> Stream.of(loop.body());
            case StepAction.Parallel all
            when all.stopped().isPresent() ->
                all.branches().stream().filter(branch -> !branch.skipFailure()).map(StepAction.Branch::steps);
            default -> Stream.empty();
        };
    }

    private static boolean skipsFailures(LoopOptions options) {
        return options.skipFailures().equals(new Template.Constant(JsonValue.TRUE));
    }
}
