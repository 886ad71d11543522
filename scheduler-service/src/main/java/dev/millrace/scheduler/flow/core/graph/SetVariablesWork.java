package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;

/** Changes variables of the run. */
public record SetVariablesWork(Template values) implements Work {
    static SetVariablesWork compile(StepAction.SetVariables set, GraphBuilder list) {
        list.read(set.values());
        return new SetVariablesWork(set.values());
    }

    @Override
    public JobKind kind() {
        return JobKind.SET_VARIABLES;
    }
}
