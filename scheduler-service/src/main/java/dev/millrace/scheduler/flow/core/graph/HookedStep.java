package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites a hooked step as a sequence of up to four steps that results in what the hooked action returns.
 *
 * <p>The first step, {@link #BEFORE_RETRY}, is skipped unless the action is retried. If the action or a step before it
 * fails, the whole sequence begins again. If {@link #AFTER} fails, the action has already succeeded and is not repeated
 * for that reason.
 */
public final class HookedStep {
    /** Id of the first step. No definition can use such ids. */
    public static final String BEFORE_RETRY = "~before_retry";

    static final String BEFORE = "~before";
    public static final String RUN = "~run";
    public static final String AFTER = "~after";

    /** The steps that are all done again if one of them is done again. */
    private static final List<String> UP_TO_RUN = List.of(RUN, BEFORE, BEFORE_RETRY);

    private HookedStep() {}

    public static StepAction.Switch block(StepAction.Hooked hooked) {
        List<Step> steps = new ArrayList<>();
        hooked.beforeRetry().ifPresent(task -> add(steps, BEFORE_RETRY, task, unlessRetried()));
        hooked.before().ifPresent(task -> add(steps, BEFORE, task, StepPolicy.NONE));
        add(steps, RUN, once(hooked.run()), StepPolicy.NONE);
        hooked.after().ifPresent(task -> add(steps, AFTER, task, StepPolicy.NONE));
        Template result = new Template.Whole(new Path(new Root.StepResult(RUN)));
        return new StepAction.Switch(
                Optional.empty(), List.of(), Optional.of(new StepList(steps, Optional.of(result))));
    }

    /** Removes the retry policy of a task: it is that of the whole sequence. */
    private static StepAction once(StepAction run) {
        return run instanceof StepAction.Task(TaskTarget target, Template input, TaskOptions options)
                ? new StepAction.Task(target, input, options.withoutRetry())
                : run;
    }

    private static void add(List<Step> steps, String id, StepAction action, StepPolicy policy) {
        List<String> needs =
                steps.isEmpty() ? List.of() : List.of(steps.getLast().id());
        steps.add(new Step(id, needs, action, policy));
    }

    private static StepPolicy unlessRetried() {
        return StepPolicy.NONE
                .change()
                .skip(Optional.of(new StepPolicy.Skip(new Template.Whole(new FirstAttempt()), Template.Constant.NULL)))
                .build();
    }

    /** Returns whether a list is such a sequence. */
    public static boolean holds(Graph list) {
        return list.byId().containsKey(RUN);
    }

    /** Returns whether a node runs such a sequence. */
    public static boolean isOne(Node node) {
        return node.work() instanceof SwitchWork choice
                && choice.otherwise().filter(HookedStep::holds).isPresent();
    }

    /** Returns the hooked step of an inner step, if redoing the inner step means to redo the whole sequence. */
    public static Optional<StepKey> begunAgainWith(StepKey inner) {
        return UP_TO_RUN.stream()
                .filter(id -> inner.text().endsWith("." + id))
                .map(id -> new StepKey(inner.text().substring(0, inner.text().length() - id.length() - 1)))
                .findFirst();
    }

    /** Returns the keys of the inner steps whose failure turns the next attempt into a retry. */
    public static Set<StepKey> attempted(StepKey step) {
        return Set.of(inside(step, RUN), inside(step, BEFORE), inside(step, BEFORE_RETRY));
    }

    /** Returns the key of an inner step. */
    public static StepKey inside(StepKey step, String id) {
        return new StepKey(step.text() + "." + id);
    }

    /** True unless the step is being retried. */
    private record FirstAttempt() implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            return scope.retry().isPresent() ? JsonValue.FALSE : JsonValue.TRUE;
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
