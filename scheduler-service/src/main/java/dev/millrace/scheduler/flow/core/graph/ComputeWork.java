package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;

/** Evaluates a value without a worker. */
public record ComputeWork(Template result) implements Work {
    static ComputeWork compile(StepAction.Compute compute, GraphBuilder list) {
        list.read(compute.result());
        return new ComputeWork(compute.result());
    }

    @Override
    public JobKind kind() {
        return JobKind.COMPUTE;
    }
}
