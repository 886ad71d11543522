package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;

/** Ends the run early. */
public record TerminateWork(StepAction.Terminate end) implements Work {
    static TerminateWork compile(StepAction.Terminate end, GraphBuilder list) {
        list.read(end.output());
        list.read(end.reason());
        return new TerminateWork(end);
    }

    @Override
    public JobKind kind() {
        return JobKind.TERMINATE;
    }
}
