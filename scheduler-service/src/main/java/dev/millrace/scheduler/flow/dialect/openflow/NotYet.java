package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.FlowOptions;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepAction.LoopOptions;
import dev.millrace.scheduler.flow.core.StepPolicy;
import dev.millrace.scheduler.flow.core.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.RetryPolicy;

/** Refuses what the engine does not run yet. Shrinks as the engine grows. */
final class NotYet {
    private final Reading reading;
    private final Fields module;

    NotYet(Reading reading, Fields module) {
        this.reading = reading;
        this.module = module;
    }

    void check(Step step) {
        boolean action = switch (step.action()) {
            case StepAction.Task _, StepAction.Compute _, StepAction.Switch _ -> false;
            case StepAction.ForEach loop -> !loop.options().equals(LoopOptions.DEFAULT);
            case StepAction.While _,
                    StepAction.Parallel _,
                    StepAction.SubFlow _,
                    StepAction.StartRun _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _,
                    StepAction.Wait _ -> true;
        };
        refuse(action, "value");
        StepPolicy policy = step.policy();
        refuse(policy.skip().isPresent(), "skip_if");
        refuse(policy.mock().isPresent(), "mock");
        refuse(policy.delay().isPresent(), "id");
        refuse(policy.timeout().isPresent(), "timeout");
        refuse(!policy.retry().equals(RetryPolicy.NONE) || policy.retryIf().isPresent(), "retry");
        refuse(!policy.stops().isEmpty(), module.has("stop_after_if") ? "stop_after_if" : "stop_after_all_iters_if");
        refuse(policy.onFailure() != OnFailure.FAIL, "continue_on_error");
        refuse(module.has("suspend"), "suspend");
    }

    void check(FlowOptions options) {
        refuse(!options.variables().members().isEmpty(), "flow_env");
        refuse(options.onFailure().isPresent(), "failure_module");
        refuse(options.timeout().isPresent(), "timeout");
        refuse(options.priority() != 0, "priority");
        refuse(options.concurrency().isPresent(), "concurrent_limit");
        refuse(module.has("skip_expr"), "skip_expr");
    }

    private void refuse(boolean unsupported, String key) {
        if (unsupported) {
            reading.problem(
                    module.find(key).orElseThrow().mark(),
                    module.path(key),
                    "The engine does not run this yet.",
                    "Write the flow without it.");
        }
    }
}
