package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rewrites a flow that handles its own failure, so that it can run inside another flow.
 *
 * <p>The rewritten flow has two or three steps. The first one, {@link #STEPS}, contains the steps of the flow. The
 * others contain the steps of {@code onFailure} and start the failure flow. A failure of the first step makes the flow
 * fail only at its end, so the others run before that. The others are skipped unless the first step fails, and they do
 * not affect the outcome of the flow.
 */
public final class HandledFlow {
    /** Id of the step that contains the steps of the flow. No definition can use such an id. */
    public static final String STEPS = "~steps";

    static final String FAILURE = "~failure";
    public static final String FAILURE_FLOW = "~failure_flow";

    private HandledFlow() {}

    /** Returns the flow as it runs inside another flow; unchanged if it does not handle its failure. */
    public static FlowDefinition of(FlowDefinition flow) {
        FlowOptions options = flow.options();
        if (!handlesFailure(options)) {
            return flow;
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                STEPS,
                List.of(),
                holding(flow.steps()),
                policy(Optional.empty(), StepPolicy.OnFailure.FAIL_AT_END).onSameWorker(options.sameWorker())));
        options.onFailure().ifPresent(list -> steps.add(afterFailure(steps, FAILURE, holding(list))));
        options.failureFlow()
                .ifPresent(next -> steps.add(afterFailure(steps, FAILURE_FLOW, starting(next, flow.name()))));
        Template result = new Template.Whole(new Path(new Root.StepResult(STEPS)));
        return new FlowDefinition(
                flow.name(), flow.description(), flow.inputs(), new StepList(steps, Optional.of(result)), options);
    }

    private static boolean handlesFailure(FlowOptions options) {
        return options.onFailure().isPresent() || options.failureFlow().isPresent();
    }

    /**
     * Returns whether all steps of an inner flow run on one worker. If the flow handles its failure, only
     * {@link #STEPS} does.
     */
    static boolean keepsToWorker(FlowOptions options) {
        return options.sameWorker() && !handlesFailure(options);
    }

    /** Returns whether the key names the step that contains the steps of a rewritten flow. */
    public static boolean holdsSteps(StepKey key) {
        return key.text().endsWith("." + STEPS);
    }

    private static Step afterFailure(List<Step> before, String id, StepAction action) {
        StepPolicy.Skip skip = new StepPolicy.Skip(new Template.Whole(new NothingFailed()), Template.Constant.NULL);
        return new Step(
                id, List.of(before.getLast().id()), action, policy(Optional.of(skip), StepPolicy.OnFailure.CONTINUE));
    }

    private static StepAction holding(StepList list) {
        return new StepAction.Switch(Optional.empty(), List.of(), Optional.of(list));
    }

    /**
     * Starts a failure flow.
     *
     * @param failed name of the flow that has failed
     */
    private static StepAction starting(FailureFlow flow, String failed) {
        return new StepAction.StartRun(
                flow.path(),
                switch (flow.given()) {
                    case FAILURE -> failure();
                    case INPUT -> new Template.Whole(new FailureFlowInput.Inside(failed));
                });
    }

    private static Template failure() {
        Map<String, Template> input = new LinkedHashMap<>();
        input.put("run_id", whole(new Root.Run()));
        input.put("error", whole(new Root.Failure()));
        input.put("input", whole(new Root.Inputs()));
        return Template.object(input);
    }

    private static Template whole(Root root) {
        return new Template.Whole(new Path(root));
    }

    private static StepPolicy policy(Optional<StepPolicy.Skip> skip, StepPolicy.OnFailure onFailure) {
        return StepPolicy.NONE.change().skip(skip).onFailure(onFailure).build();
    }

    /** True unless the flow around this expression has failed. */
    private record NothingFailed() implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            return scope.error().isPresent() ? JsonValue.FALSE : JsonValue.TRUE;
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
