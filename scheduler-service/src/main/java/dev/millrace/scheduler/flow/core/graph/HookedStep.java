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
import dev.millrace.scheduler.flow.core.definition.StepAction.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a step with tasks around it becomes: a block of up to four steps, one after the other, that results in what the step itself did. The
 * first is left out unless the step is tried again. Where the step itself or what stands before it has failed, all of it begins again; where
 * the last has failed, the step itself has been run and is never run again by that.
 */
public final class HookedStep {
    /** No step of a definition has such an id. */
    public static final String BEFORE_RETRY = "~before_retry";

    static final String BEFORE = "~before";
    public static final String RUN = "~run";
    public static final String AFTER = "~after";

    /** What does not stay done where one of them is to be done again. */
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

    /** The retry of a task is that of the whole. */
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
        StepPolicy none = StepPolicy.NONE;
        return new StepPolicy(
                Optional.of(new StepPolicy.Skip(new Template.Whole(new FirstAttempt()), Template.Constant.NULL)),
                none.mock(),
                none.delay(),
                none.timeout(),
                none.retry(),
                none.retryIf(),
                none.stops(),
                none.onFailure());
    }

    /** Whether the list is such a block. */
    public static boolean holds(Graph list) {
        return list.byId().containsKey(RUN);
    }

    /** Whether a step has become such a block. */
    public static boolean isOne(Node node) {
        return node.work() instanceof SwitchWork choice
                && choice.otherwise().filter(HookedStep::holds).isPresent();
    }

    /** The step that has become the block around this one, where all of it is done again if this one is. */
    public static Optional<StepKey> begunAgainWith(StepKey inner) {
        return UP_TO_RUN.stream()
                .filter(id -> inner.text().endsWith("." + id))
                .map(id -> new StepKey(inner.text().substring(0, inner.text().length() - id.length() - 1)))
                .findFirst();
    }

    /** Those whose failure makes the next attempt a retry. */
    public static Set<StepKey> attempted(StepKey step) {
        return Set.of(inside(step, RUN), inside(step, BEFORE), inside(step, BEFORE_RETRY));
    }

    /** The key of one of the steps of the block. */
    public static StepKey inside(StepKey step, String id) {
        return new StepKey(step.text() + "." + id);
    }

    /** True unless the step is tried again. */
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
