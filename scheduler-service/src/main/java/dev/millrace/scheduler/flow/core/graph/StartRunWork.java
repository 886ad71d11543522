package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;

/** Starts another run without waiting for its end. */
public record StartRunWork(Template flow, Template input) implements Work {
    static StartRunWork compile(StepAction.StartRun start, GraphBuilder list) {
        list.read(start.flow());
        list.read(start.input());
        return new StartRunWork(start.flow(), start.input());
    }

    @Override
    public JobKind kind() {
        return JobKind.START_RUN;
    }

    @Override
    public boolean mayEndAtOnce() {
        return true;
    }
}
